# Mirrors configure.py of TensorFlow 1.x: asks what to build with, and writes .tf_configure.bazelrc.
"""Asks what to build with. Answers can be given beforehand, as environment variables."""

import os
import platform
import shutil

_BAZELRC = os.path.join(os.path.dirname(os.path.abspath(__file__)), '.tf_configure.bazelrc')
_DEFAULT_CUDA_VERSION = '9.0'
_YES = ('1', 't', 'true', 'y', 'yes')
_NO = ('0', 'f', 'false', 'n', 'no')


class UserInputError(Exception):
  pass


def is_windows():
  return platform.system() == 'Windows'


def write_to_bazelrc(line):
  with open(_BAZELRC, 'a') as f:
    f.write(line + '\n')


def write_action_env_to_bazelrc(name, value):
  write_to_bazelrc('build --action_env %s="%s"' % (name, value))


def get_var(environ_cp, name, item, enabled_by_default, question=None):
  """Yes or no: from the environment, else from the user."""
  if not question:
    question = 'Do you wish to build TensorFlow with %s support?' % item
  question += ' [Y/n]: ' if enabled_by_default else ' [y/N]: '
  var = environ_cp.get(name)
  if var is not None:
    if var.strip().lower() in _YES:
      var = True
    elif var.strip().lower() in _NO:
      var = False
    else:
      raise UserInputError('%s must be yes or no, not %s' % (name, var))
  while var is None:
    answer = input(question).strip().lower()
    if answer == 'y':
      var = True
    elif answer == 'n':
      var = False
    elif not answer:
      var = enabled_by_default
    else:
      print('Please answer y or n, not ' + answer)
  return var


def set_build_var(environ_cp, name, item, option, enabled_by_default, config=None):
  """A define for every build; when the answer is no, one that --config still switches on."""
  enabled = get_var(environ_cp, name, item, enabled_by_default)
  environ_cp[name] = str(int(enabled))
  if enabled:
    write_to_bazelrc('build --define %s=true' % option)
  elif config is not None:
    write_to_bazelrc('build:%s --define %s=true' % (config, option))


def set_action_env_var(environ_cp, name, item, enabled_by_default, question=None):
  """A variable that repository rules read."""
  var = int(get_var(environ_cp, name, item, enabled_by_default, question))
  write_action_env_to_bazelrc(name, var)
  environ_cp[name] = str(var)


def get_from_env_or_user_or_default(environ_cp, name, question, default):
  """A text: from the environment, else from the user, else the default."""
  var = environ_cp.get(name)
  if not var:
    var = input(question)
  return var or default


def set_cuda_version(environ_cp):
  question = ('Which CUDA do you want to use? '
              '[Default is %s]: ') % _DEFAULT_CUDA_VERSION
  version = get_from_env_or_user_or_default(environ_cp, 'TF_CUDA_VERSION', question, _DEFAULT_CUDA_VERSION)
  environ_cp['TF_CUDA_VERSION'] = version
  write_action_env_to_bazelrc('TF_CUDA_VERSION', version)


def set_cuda_compiler(environ_cp):
  set_action_env_var(environ_cp, 'TF_CUDA_CLANG', None, False, 'Do you want to use clang as CUDA compiler?')
  if environ_cp.get('TF_CUDA_CLANG') == '1':
    write_to_bazelrc('build --config=cuda_clang')
  else:
    default = shutil.which('gcc') or ''
    path = get_from_env_or_user_or_default(
        environ_cp, 'GCC_HOST_COMPILER_PATH', 'Which gcc is the host compiler? [Default is {}]: '.format(default),
        default)
    write_action_env_to_bazelrc('GCC_HOST_COMPILER_PATH', path)
    write_to_bazelrc('build --config=cuda')


def set_cc_opt_flags(environ_cp):
  default = '/arch:AVX' if is_windows() else '-march=native'
  question = 'Please specify optimization flags for --config=opt [Default is %s]: ' % default
  for opt in get_from_env_or_user_or_default(environ_cp, 'CC_OPT_FLAGS', question, default).split():
    write_to_bazelrc('build:opt --copt=%s' % opt)
  write_to_bazelrc('build:opt --define with_default_optimizations=true')


def main():
  environ_cp = dict(os.environ)
  open(_BAZELRC, 'w').close()

  if is_windows():
    environ_cp['TF_NEED_JEMALLOC'] = '0'

  set_build_var(environ_cp, 'TF_NEED_JEMALLOC', 'jemalloc as malloc', 'with_jemalloc', True)
  set_build_var(environ_cp, 'TF_ENABLE_XLA', 'XLA JIT', 'with_xla_support', False, 'xla')
  for name, item in (('GCP', 'Google Cloud Platform'), ('AWS', 'Amazon AWS Platform')):
    option = 'with_%s_support' % name.lower()
    set_build_var(environ_cp, 'TF_NEED_' + name, item, option, True, name.lower())
  set_build_var(environ_cp, 'TF_NEED_VERBS', 'VERBS', 'with_verbs_support', False, 'verbs')

  set_action_env_var(environ_cp, 'TF_NEED_CUDA', 'CUDA', False)
  if environ_cp.get('TF_NEED_CUDA') == '1':
    set_cuda_version(environ_cp)
    set_cuda_compiler(environ_cp)

  libraries = environ_cp.get('TF_SYSTEM_LIBS')
  if libraries is not None:
    write_action_env_to_bazelrc('TF_SYSTEM_LIBS', libraries)

  set_cc_opt_flags(environ_cp)
  if is_windows():
    write_to_bazelrc('build --config=monolithic')


if __name__ == '__main__':
  main()
