"""What differs between Bazel versions, for one version, as data: ``for_version("4.2.3")`` -> ``Facts``.

``behaviour.json`` lists for each fact the ``values`` and from which version on they hold; under ``tolerant`` what holds
when nobody chose a version, where that is not the newest value. Of each of the ``changes`` it says how we know: the
two neighbours among the Bazels that were asked (``seen``; ``tools/ask_behaviour.py``), and where a change lies between
them the ``flag`` whose default it is or the ``notes`` that name the release. Only this layer compares versions.

>>> for_version("0.19.1").third_party_licenses, for_version("4.2.3").third_party_licenses
(True, False)
>>> for_version("4.2.3").rule("cc_binary").name
'cc_binary'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NotRequired, TypedDict, cast

from bzlgraph.facts.names import Place, absent
from bzlgraph.facts.native import RuleFact, attribute_order, known_versions, nearest_version, rule, rule_names, rule_of
from bzlgraph.facts.versioned import in_force, table, version_key


class Change(TypedDict, total=False):
    """How we know that a value changed in a version."""

    seen: list[str]
    flag: str
    notes: str


class Behaviour(TypedDict):
    """A fact of ``behaviour.json``."""

    values: dict[str, Any]
    changes: dict[str, Change]
    tolerant: NotRequired[Any]


@dataclass(frozen=True, slots=True)
class Facts:
    """One Bazel version. ``tolerant`` when nobody chose it: the newest we know, reading trees of any age."""

    version: str
    rules_version: str
    tolerant: bool
    labels_unambiguous: bool
    """``str(Label)`` marks labels of the main repository: ``@//a``, with modules ``@@//a``."""
    glob_allow_empty: bool
    glob_exclude_by_ending: bool
    """``exclude = ["x/**/*.h"]`` means all that begins with ``x/`` and ends with ``.h``, hidden files included."""
    column_of_parenthesis: bool
    """The place of a call is that of its ``(``; before, that of its first character."""
    generator_location_has_column: bool
    third_party_licenses: bool
    """Rules in packages under third_party need licenses()."""
    dict_plus: bool
    """``{} + {}`` is the union of dictionaries."""
    reexports: bool
    """What a .bzl file loads can be loaded from it."""
    old_octals: bool
    """``010`` is eight."""
    escapes_restricted: bool
    """An escape that the language does not know is an error; before, its backslash stays."""
    named_after_star: bool
    """A named argument may follow ``*args`` in a call."""
    load_after_statement: bool
    """``load()`` may stand behind other statements of a .bzl file."""
    inner_functions: bool
    """There are ``lambda``, and functions in functions."""
    star_arguments_in_build: bool
    """A BUILD or WORKSPACE file with ``f(*args)`` or ``f(**kwargs)`` is evaluated, although that is an error."""
    comma_after_star: bool
    """A comma may follow the last argument or parameter where a ``*`` or ``**`` stands before it."""
    required_keywords: bool
    """A parameter behind ``*`` may be without a default value."""
    large_integers: bool
    """Integers may have more than 32 bits."""
    dict_union: bool
    """``{} | {}`` is the union of dictionaries."""
    frozen_dicts_answer: bool
    """``pop(key, default)`` and ``setdefault(key)`` that do not change a dictionary do not mind that it is frozen."""
    floats: bool
    """There are floating-point numbers, and ``/``."""
    bit_operators: bool
    """There are ``&``, ``^``, ``~``, ``<<``, ``>>`` and ``+x``."""
    type_annotations: bool
    """Type annotations in .bzl files are read, and ignored: ``def f(x: int) -> str``."""
    depset_union: bool
    """Depsets can be added with ``+`` and ``|``."""
    depset_iteration: bool
    """Depsets can be iterated over and have a length."""
    own_workspace_name_is_main: bool
    """``@name`` is the main repository for the name given by ``workspace(name = ...)``."""
    config_setting_visibility: str
    """How a config_setting's visibility counts: "as other rules", "public", "public unless written"."""
    config_setting_licensed: bool
    """A config_setting takes the licenses() of its package."""
    build_file_has_line: bool
    """Whether the location of a BUILD file itself has a line."""
    mixed_visibility: str
    """What ``//visibility:public`` or ``:private`` among other labels is: an error that makes a rule "private", one
    that leaves the labels "as written", or "accepted"."""
    package_group_public_private: bool
    repo_file: bool
    """Whether REPO.bazel tells defaults of packages."""
    bzlmod: bool
    source_file_is_its_own_place: bool
    """A source file is shown at its own line 1, not at the rule that named it first."""
    rules_inside_macros: tuple[str, ...]
    """Native rules that this Bazel has behind macros of its own (``rule class=macro``): the macro is their
    ``generator_function``."""
    java_launcher: str
    """What java_binary and java_test, macros inside Bazel 7, write as ``launcher``; "" where they are plain rules."""
    dicts_are_lists: bool
    """An attribute takes a dict for the list of its keys."""
    label_flag_leads_to_default: bool
    """Whether a query follows a label_flag to its default."""
    def_parser_by_name: bool
    """Whether a C++ rule is taken for a part of def_parser by its name and tags, not by its package."""
    local_repository_is_boundary: bool
    """Whether labels may not reach into the folder of a local_repository()."""
    existing_rule_hides: tuple[str, ...]
    """Attributes that ``native.existing_rule()`` shows only when they are written: their default is computed."""
    cc_test_static_on: str
    """Where cc_test, a macro inside Bazel 7, links statically when nothing is written; "" where it is a plain rule."""
    tools_mapping: tuple[str, ...]
    """What names of repositories mean (``name=meaning``) inside ``@bazel_tools`` where there are no modules."""
    legacy_public: bool
    """``//visibility:legacy_public`` is another word for public."""
    implicit_tests_chosen: bool
    """Whether the tags of a test_suite choose among the tests of its package when it is loaded."""
    duplicates_across_selects: bool
    """Whether a label may not stand in two parts of a concatenation of selects."""
    location_relative: bool
    """Whether --relative_locations has any effect on ``query --output=location``."""
    group_order: tuple[str, ...]
    """In which order the parts of a package_group are printed: "pattern" (``//a/...``), "negative" (``-//a``),
    "package" and so on; () as written."""
    group_slashes: bool
    """They are printed with their ``//``."""
    features_off_last: bool
    """The features of package() are kept as two sets, those switched off by ``-`` last."""
    graph_indent: int
    """Spaces before a line of ``query --output=graph``."""
    graph_condition_at: str
    """What it puts before the name of another repository in a condition."""
    exports_filter_canonical: bool
    """``exports_filter`` of cc_shared_library holds canonical labels, whatever was written."""
    transition_allowlist: str
    """What Bazel adds to a rule with a transition that a .bzl file defines: the list of packages that may have one."""
    transitions_leave_marks: bool
    """Whether a configuration remembers what transitions have changed: back at the old values it is another one."""
    label_flags_keep_texts: bool
    """Whether a text that a transition writes to a label_flag stays one: no label in ``flag_values`` equals it."""
    transitions_clear_platforms: bool
    """Whether a transition to another ``--cpu`` that does not name ``--platforms`` clears that."""
    features_off_win: bool
    """Whether ``--features=-x`` takes away ``--features=x``, in whatever order."""
    mappings_at_every_step: bool
    """Whether platform mappings are applied to what stays in its configuration, too."""
    rule_transitions_resolve_selects: bool
    """Whether the transition of a rule sees attributes that are a ``select()``: their values before it."""
    transitions_may_be_empty: bool
    """Whether a transition that has outputs may return ``{}``: no change."""
    flags_by_aliases: bool
    """Whether the command line may name a build setting by an alias of it."""
    flags_behind_aliases: bool
    """Whether ``flag_values`` finds what a flag is set to by another name than an alias of it."""
    unconfigured_rules: tuple[str, ...]
    """The rules whose targets are the same in every configuration."""
    build_has_stacks: bool
    """Whether ``query --output=build`` tells the calls that made a rule."""
    build_null: str
    """What ``query --output=build`` writes for a label that a branch of a select leaves out."""
    encoded_twice: str
    """Query outputs in which each byte of a text that is not ASCII becomes a character."""
    auto_order: str
    """How ``query --order_output=auto`` sorts: "graph" (dependents before dependencies) or "label"."""
    attr_visibility_effective: bool
    """Whether ``attr(visibility, ...)`` sees the default visibility of the package."""
    package_group_root_is_everything: bool
    """``//...`` in a package_group means the packages of every repository."""
    genquery_scope_own_type: bool
    """The labels that genquery looks at are of a type of their own: dependencies without a configuration only."""
    select_of_dicts: bool
    """Dictionaries that select() chooses can be joined, with ``|``."""
    select_takes_last_of_a_setting: bool
    """Of the keys of a select() that are aliases of one setting the last counts; later Bazels refuse two that hold."""
    select_equal_values_agree: bool
    """Branches of a select() that hold at once do not clash when their values are equal."""
    none_refused: str
    """Whose mandatory attributes cannot be a select() that chooses None: "alias" or "any rule"."""
    linux_compiler: str
    """What the C++ toolchain that Bazel makes of gcc calls its compiler."""
    extra_toolchains_last_first: bool
    """The last of --extra_toolchains is looked at first."""
    host_configuration: bool
    """``cfg = "host"`` is a configuration for the machine that builds, whatever platform actions run on."""
    rules_only_in_bzl_files: bool
    """``rule()`` works while a .bzl file is loaded only, not in a macro that a BUILD file calls."""
    aspects_only_in_bzl_files: bool
    """``aspect()`` and ``repository_rule()`` work while a .bzl file is loaded only."""
    rule_extension: str
    """Whether ``subrule()``, and what ``rule()`` has of it and of rules that extend others, is "unknown", "private" to
    Bazel's own files, or "public"."""
    exec_groups_are_known: bool
    """Rules may have exec groups."""
    toolchain_types_are_dependencies: bool
    """A target depends on the toolchain types that its rule asks for."""
    toolchains_in_own_configuration: bool
    """A toolchain is looked at in the configuration of the target that asks for it, not in that of tools."""
    select_takes_constraint_values: bool
    """A constraint_value can itself be a key of a select()."""
    select_constraints_specialize: bool
    """A config_setting that asks for more constraint_values is more special."""
    repository_marks: tuple[str, ...]
    """The files that Bazel adds to a repository whose rule writes none of that kind; empty unless it is WORKSPACE."""
    repository_context_lacks: tuple[str, ...]
    """What repository_ctx, its os and paths do not have yet."""
    label_path_is_file: bool
    """The label that ``repository_ctx.path()`` is given has to name a file that is there; since then its package."""
    load_visibility_enforced: bool
    """A .bzl file is loaded only where its ``visibility()`` allows it."""
    selects_simplified: bool
    """The value of a rule's attribute is plain where its selects have nothing but a default."""
    repository_rules_see_action_env: bool
    """The variables of ``--action_env`` are those of repository rules, too."""
    project_files: bool
    """PROJECT.scl may add flags to a build of the targets below its folder."""
    initializer_gets_none: bool
    """The initializer of a rule is passed the None that is given for an attribute, too."""
    autoloaded_rules: tuple[str, ...]
    """Rules that this Bazel loads by itself, from their rule sets (``names.definition``)."""
    autoloads_without_modules: bool
    """Rules are loaded by themselves where there are no modules, too."""
    main_without_autoloads: bool
    """Nor in the main repository, whatever ``--incompatible_autoload_externally`` names."""
    without_autoloads: tuple[str, ...]
    """Modules in whose repositories it does not."""
    removed_rules: tuple[str, ...]
    """Names of rules that are there and fail when they are called."""
    emptied_rules: tuple[str, ...]
    """Rules that have no attributes of their own any more: only their names are left."""
    metadata_attribute: str
    """What package(default_package_metadata = ...) is the default of; the older name stays an alias of the newer."""
    rule_sets_apart: tuple[str, ...]
    """Rule sets whose rules are their own: in earlier Bazels they are those inside Bazel."""
    workspace_file: str
    """Whether WORKSPACE "counts", counts "when asked for", or "never"."""
    tools_bazel_rc: str
    """When ``tools/bazel.rc`` is one of the rc files of a workspace: "always", "unless imported" or never ("")."""

    given_names: frozenset[str] = frozenset()
    """Names that this Bazel has not and that a tree has loaded by itself (``autoloads.with_autoloads``)."""
    taken_names: frozenset[str] = frozenset()
    """Names that this Bazel has and that a tree takes away."""

    def rule(self, name: str) -> RuleFact | None:
        """A native rule as this version sees it (``native.rule``, ``native.rule_of``)."""
        return rule(self.rules_version, name, tolerant=True) if self.tolerant else rule_of(self.version, name)

    def absent_names(self, place: Place) -> frozenset[str]:
        """Names that only other versions predeclare (``names.absent``); none when the reading is tolerant."""
        known = frozenset() if self.tolerant else absent(self.version, place)
        return known - self.given_names | self.taken_names

    def attribute_order(self, name: str) -> tuple[str, ...]:
        """The attributes of a native rule in the order Bazel prints them (``native.attribute_order``)."""
        return attribute_order(self.rules_version, name)

    def rule_names(self) -> tuple[str, ...]:
        """Every native rule of any version."""
        return rule_names()


def for_version(version: str = "", *, tolerant: bool = False) -> Facts:
    """The facts of a Bazel version; "" is the newest we know, marked tolerant."""
    return _facts(version or known_versions()[-1], tolerant or not version)


@cache
def _facts(version: str, tolerant: bool) -> Facts:
    values = {name: _value(fact, version, tolerant) for name, fact in behaviours().items()}
    return Facts(version=version, rules_version=nearest_version(version), tolerant=tolerant, **values)


@cache
def switches() -> frozenset[str]:
    """The options of Bazel by which a tree chooses what another version does (``incompatible_...``)."""
    changes = (change for fact in behaviours().values() for change in fact["changes"].values())
    return frozenset(change["flag"].removeprefix("--") for change in changes if "flag" in change)


def with_switches(facts: Facts, chosen: Mapping[str, bool]) -> Facts:
    """The facts where some of ``switches`` are set: a fact has the value of the version whose default that is.

    >>> with_switches(for_version("7.7.1"), {"incompatible_disallow_empty_glob": True}).glob_allow_empty
    False
    """
    changed: dict[str, Any] = {}
    for name, fact in behaviours().items():
        for version, change in fact["changes"].items():
            switch = change.get("flag", "").removeprefix("--")
            if switch in chosen and chosen[switch] != (version_key(version) <= version_key(facts.version)):
                earlier = [each for each in fact["values"] if version_key(each) < version_key(version)]
                changed[name] = _plain(fact["values"][version if chosen[switch] else earlier[-1]])
    return replace(facts, **changed)


def behaviours() -> dict[str, Behaviour]:
    """The shipped table: name of a fact -> its values by version and how we know."""
    return cast("dict[str, Behaviour]", table("behaviour"))


def _value(fact: Behaviour, version: str, tolerant: bool) -> Any:
    if tolerant and "tolerant" in fact:
        return _plain(fact["tolerant"])
    values = {_begins(since, fact["changes"].get(since, {})): value for since, value in fact["values"].items()}
    return _plain(in_force(values, version))


def _begins(since: str, change: Change) -> str:
    """Where a value begins that is only known to be there in the later of two Bazels that were asked: with that one's
    major version, as the native rules and tools do that it belongs to (``versioned.nearest_of_line``).

    >>> _begins("7.7", {"seen": ["4.2.3", "7.7.1"]}), _begins("0.25", {"seen": ["0.24.1", "0.25.1"]})
    ('7', '0.25')
    """
    if set(change) != {"seen"}:
        return since
    earlier, later = (version_key(each)[0] for each in change["seen"])
    return since if earlier == later else f"{later}"


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
