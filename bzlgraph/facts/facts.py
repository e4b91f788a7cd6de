"""``Facts``: what differs between Bazel versions, for one version. ``behaviour`` makes them of its table."""

from __future__ import annotations

from dataclasses import dataclass

from bzlgraph.facts.names import Place, absent
from bzlgraph.facts.native import RuleFact, attribute_order, rule, rule_names, rule_of


@dataclass(frozen=True, slots=True)
class Facts:
    """One Bazel version. ``tolerant`` if nobody chose it: the newest known one, which reads trees of any age."""

    version: str
    rules_version: str
    tolerant: bool
    labels_unambiguous: bool
    """``str(Label)`` of a label in the main repository is ``@//a``, with modules ``@@//a``."""
    glob_allow_empty: bool
    """A glob() that matches nothing is allowed unless it says otherwise."""
    attribute_cfg: str
    """The configurations that ``attr.label(cfg = ...)`` knows by name."""
    old_build_functions: bool
    """In BUILD files ``glob`` takes all but its first argument by name, ``licenses`` its only one, too."""
    glob_exclude_by_ending: bool
    """``exclude = ["x/**/*.h"]`` matches every path that starts with ``x/`` and ends with ``.h``, also hidden files."""
    column_of_parenthesis: bool
    """The location of a call is that of its ``(``; before, that of its first character."""
    generator_location_has_column: bool
    """The attribute generator_location has a column."""
    third_party_licenses: bool
    """Rules in packages under third_party need licenses()."""
    join_takes_anything: bool
    """``join()`` of a string takes elements that are no strings."""
    named_parameters: bool
    """Parameters of built-in functions that have no names now can be named: ``"a,b".split(sep = ",")``."""
    strings_iterate: bool
    """A loop over a string has its characters; so have ``any``, ``all``, ``min``, ``max``, ``reversed`` and ``zip``."""
    partition_at_space: bool
    """``partition()`` and ``rpartition()`` of a string need no separator, which is a space then."""
    json_keys_once: bool
    """``json.decode()`` refuses an object with a key twice; later, the last one wins."""
    percent_verbs: str
    """The conversions that ``%`` of a string knows, beside ``%%``."""
    absent_members: tuple[str, ...]
    """Methods and fields that other versions have: ``list.clear``, ``Label.repo_name``."""
    range_is_key: bool
    """A range may be a key of a dict."""
    replace_count: str
    """What ``replace()`` of a string takes for its count: "None"; it replaces "none below 0", later all."""
    select_takes_labels: bool
    """The keys of a ``select()`` may be Labels; before, texts only."""
    selects_equal: bool
    """A ``select()`` equals one that holds the same; before, itself only."""
    narrow_functions: tuple[str, ...]
    """Functions of the language that take less than today: name, fewest and most positional arguments ("-": any
    number), those it takes by name."""
    builtins_are_functions: bool
    """``type()`` of a function of Bazel is ``function``; later, ``builtin_function_or_method``."""
    pop_takes_anything: bool
    """``{}.pop([], 1)`` is 1; later, an error."""
    dicts_lack_mutable_keys: bool
    """``[] in {}`` is False, ``{}.get([])`` None; later, both are errors."""
    range_makes_lists: bool
    """``range()`` gives a list; there is no type ``range``."""
    dict_plus: bool
    """``{} + {}`` is the union of two dictionaries."""
    deprecated_attr_params: bool
    """Attributes take ``single_file = True`` and ``non_empty = True``."""
    reexports: bool
    """Symbols that a .bzl file loads can be loaded from it."""
    old_octals: bool
    """``010`` is an octal literal (8)."""
    escapes_restricted: bool
    """An unknown escape sequence is an error; before, its backslash was kept."""
    named_after_star: bool
    """A named argument may follow ``*args`` in a call."""
    load_across_a_boundary: bool
    """``load("//a:b/c.bzl", ...)`` may load a file of the package ``a/b``."""
    load_after_statement: bool
    """``load()`` may follow other statements in a .bzl file."""
    attribute_names_restricted: bool
    """The names of attributes of rules and aspects are identifiers; those of repository rules are anything."""
    predeclared_until_bound: bool
    """A BUILD file may use a name that Bazel predeclares before a ``load()`` or an assignment that binds it."""
    inner_functions: bool
    """``lambda`` and nested functions are allowed."""
    star_arguments_in_build: bool
    """A BUILD or WORKSPACE file with ``f(*args)`` or ``f(**kwargs)`` is evaluated, although that is an error."""
    comma_after_star: bool
    """A trailing comma is allowed in arguments and parameters with ``*`` or ``**``."""
    required_keywords: bool
    """A parameter after ``*`` need not have a default value."""
    large_integers: bool
    """Integers may have more than 32 bits."""
    dict_union: bool
    """``{} | {}`` is the union of two dictionaries."""
    frozen_dicts_answer: bool
    """``pop(key, default)`` and ``setdefault(key)`` work on a frozen dictionary if they do not change it."""
    floats: bool
    """Floating-point numbers and ``/`` are supported."""
    floor_slash: bool
    """``/`` divides integers as ``//`` does."""
    bit_operators: bool
    """``&``, ``^``, ``~``, ``<<``, ``>>`` and ``+x`` are supported."""
    type_annotations: bool
    """Type annotations in .bzl files are accepted and ignored: ``def f(x: int) -> str``."""
    depset_items: bool
    """``depset(items = ...)`` is accepted, and a depset in place of the elements."""
    depset_union: bool
    """Depsets can be added with ``+``, ``|`` and ``union()``."""
    depset_iteration: bool
    """Depsets can be iterated over and have a length."""
    suffix_repositories: tuple[str, ...]
    """Repositories that Bazel defines behind WORKSPACE, and refuses to where that has defined them behind a load()."""
    suffix_loads: bool
    """There is a load() before them in any case."""
    legal_workspace_name: str
    """What ``workspace()`` and native rules of WORKSPACE may call a repository, as a regular expression."""
    own_workspace_name_is_main: bool
    """``@name`` is the main repository for the name given by ``workspace(name = ...)``."""
    workspace_file_maps_own_name: bool
    """The checkout's own name means the main repository in WORKSPACE, too: in loads and in labels given to rules."""
    bind_maps_names: bool
    """The ``actual`` of ``bind()`` is read with the mapping of WORKSPACE, not as it is written."""
    config_setting_visibility: str
    """How the visibility of a config_setting is checked: "as other rules", "public", "public unless written"."""
    relative_labels: bool
    """``Label(":x")`` is a label in the package of its file; before, only absolute ones were."""
    legacy_api: bool
    """Names of .bzl files that were withdrawn are there (``names.legacy_names``)."""
    config_settings_private: bool
    """A config_setting that says nothing has the default of its package, where it would be public."""
    implicit_files_private: bool
    """Files that only rules name, and that nothing exports, are private."""
    config_setting_licensed: bool
    """A config_setting inherits the licenses() of its package."""
    build_file_has_line: bool
    """The location of a BUILD file itself has a line."""
    mixed_visibility: str
    """Effect of ``//visibility:public`` or ``:private`` among other labels: an error that makes a rule "private", one
    that keeps the labels "as written", or "accepted"."""
    conflict_names_package: bool
    """What is said of two targets of one name tells their package."""
    package_group_public_private: bool
    """The packages of a package_group may be "public" or "private"."""
    ignored_directories: bool
    """REPO.bazel may call ``ignore_directories()``."""
    repo_file: bool
    """REPO.bazel sets defaults of packages."""
    bzlmod: bool
    """MODULE.bazel is read."""
    source_file_is_its_own_place: bool
    """The location of a source file is its own line 1, not the rule that names it first."""
    rules_inside_macros: tuple[str, ...]
    """Native rules that are wrapped in native macros (``rule class=macro``): the macro is their
    ``generator_function``."""
    initialized_rules: tuple[str, ...]
    """Native rules with an initializer: a value of a wrong type ends the call before it, so that there is no target."""
    java_launcher: str
    """Default ``launcher`` of java_binary and java_test, macros inside Bazel 7; "" if they are plain rules."""
    dicts_are_lists: bool
    """An attribute for a list accepts a dict and takes its keys."""
    label_flag_leads_to_default: bool
    """A query follows a label_flag to its default."""
    def_parser_by_name: bool
    """A C++ rule counts as part of def_parser because of its name and tags, not its package."""
    local_repository_is_boundary: bool
    """Labels may not reach into the folder of a local_repository()."""
    default_licenses_apply: bool
    """Rules take ``default_applicable_licenses`` of their package when it is loaded."""
    structs_have_methods: bool
    """``dir()`` of a struct, and of what a provider gives, lists ``to_json`` and ``to_proto``."""
    existing_rules_are_views: bool
    """What ``native.existing_rule()`` gives is a view of type ``Map``; before, a dict that its caller may change. A
    view shows labels in selects as it shows them elsewhere: as texts."""
    existing_rule_hides: tuple[str, ...]
    """Attributes that ``native.existing_rule()`` shows only if they are set, because their default is computed."""
    cc_test_static_on: str
    """Where cc_test, a macro inside Bazel 7, links statically by default; "" if it is a plain rule."""
    tools_mapping: tuple[str, ...]
    """Repository mapping (``name=repository``) of ``@bazel_tools`` without modules."""
    external_has_itself: bool
    """The workspace's own name is a target of ``//external``."""
    external_all_is_empty: bool
    """``//external:all`` gives no rules; ``//external:*`` gives them."""
    legacy_public: bool
    """``//visibility:legacy_public`` means public; later only public and private may stand in //visibility."""
    implicit_tests_chosen: bool
    """The tags of a test_suite select among the tests of its package when the package is loaded."""
    select_keeps_equal_keys: bool
    """A ``select()`` with two keys that are one label keeps the branches of both; before, those of the later one."""
    failed_statement_ends_file: bool
    """A BUILD file ends with a statement that fails; before, that statement alone was lost."""
    failed_macro_ends_file: bool
    """A BUILD file ends with a symbolic macro that fails; before, what that macro would still make alone was lost."""
    prelude_is_module: bool
    """//tools/build_rules:prelude_bazel is a module; before, its statements began each BUILD file."""
    overrides_take_any_attribute: bool
    """``archive_override()`` and ``git_override()`` take all attributes of their repository rules."""
    repository_names: str
    """What a repository may be called: the rules of ``base.names.repository_fault``."""
    names_may_be_dots: bool
    """A label may be ``...`` or end in ``/...``, like a pattern; after a colon, it always may."""
    package_lacks: tuple[str, ...]
    """Arguments of ``package()`` that other versions have."""
    genquery_scope_may_repeat: bool
    """The ``scope`` of a genquery may name a label twice."""
    duplicates_across_selects: bool
    """A label may not occur in two parts of a concatenation of selects."""
    location_relative: bool
    """--relative_locations affects ``query --output=location``."""
    group_order: tuple[str, ...]
    """Order in which the parts of a package_group are printed: "pattern" (``//a/...``), "negative" (``-//a``),
    "package" and so on; () means as written."""
    group_slashes: bool
    """The packages of a package_group are printed with their ``//``."""
    unknown_repository_suggests: bool
    """The name of a repository that is not visible says which was meant: ``... (did you mean 'x'?)]``."""
    features_off_last: bool
    """The features of package() are kept as two sets, those disabled by ``-`` last."""
    graph_indent: int
    """Number of spaces before a line of ``query --output=graph``."""
    graph_condition_at: str
    """Prefix of the name of another repository in a condition of ``query --output=graph``."""
    exports_filter_canonical: bool
    """``exports_filter`` of cc_shared_library contains canonical labels, however they were written."""
    transition_allowlist: str
    """The allowlist of packages that Bazel adds as a dependency of rules with a Starlark transition."""
    transitions_leave_marks: bool
    """A configuration remembers the changes of transitions: changed back, it is still a different configuration."""
    options_read_as_texts: tuple[str, ...]
    """Options of Bazel's own types that a transition reads as strings, in capital letters."""
    label_flags_keep_texts: bool
    """A string that a transition assigns to a label_flag stays a string and equals no label in ``flag_values``."""
    transitions_clear_platforms: bool
    """A transition to another ``--cpu`` that does not set ``--platforms`` clears it."""
    features_off_win: bool
    """``--features=-x`` disables ``--features=x``, in any order."""
    mappings_at_every_step: bool
    """Platform mappings are also applied to dependencies that stay in the same configuration."""
    platform_flags: bool
    """The ``flags`` of a platform apply to configurations for it."""
    rule_transitions_resolve_selects: bool
    """The transition of a rule sees attributes that are a ``select()``, with their values before the transition."""
    transitions_may_be_empty: bool
    """A transition with outputs may return ``{}`` for no change."""
    flags_by_aliases: bool
    """The command line may name a build setting by an alias."""
    flags_behind_aliases: bool
    """``flag_values`` finds the value of a flag that was set under a name other than an alias of it."""
    unconfigured_rules: tuple[str, ...]
    """Rules whose targets are the same in every configuration."""
    build_has_stacks: bool
    """``query --output=build`` prints the calls that created a rule."""
    build_null: str
    """What ``query --output=build`` prints for a branch of a select that has no label."""
    build_tristates: tuple[str, ...]
    """The words that ``query --output=build`` prints for 0, 1 and -1 where a tristate has a select."""
    encoded_twice: str
    """Query outputs in which each byte of non-ASCII text becomes a separate character."""
    auto_order: str
    """Order of ``query --order_output=auto``: "graph" (dependents before dependencies) or "label"."""
    attr_visibility_effective: bool
    """``attr(visibility, ...)`` sees the default visibility of the package."""
    package_group_root_is_everything: bool
    """``//...`` in a package_group means the packages of all repositories."""
    genquery_scope_own_type: bool
    """The scope of genquery has an attribute type of its own: dependencies without a configuration."""
    select_of_dicts: bool
    """Dictionaries chosen by select() can be joined with ``|``."""
    select_takes_last_of_a_setting: bool
    """If several keys of a select() are aliases of one setting, the last one wins; later, this is an error."""
    select_equal_values_agree: bool
    """Several branches of a select() may hold if their values are equal."""
    none_refused: str
    """Mandatory attributes that cannot be a select() which chooses None: those of "alias" or of "any rule"."""
    linux_compiler: str
    """Name of the compiler in the C++ toolchain that Bazel configures for gcc."""
    extra_toolchains_last_first: bool
    """The last of --extra_toolchains has the highest priority."""
    host_configuration: bool
    """``cfg = "host"`` is a configuration for the build machine, whatever platform actions run on."""
    none_of_unknown_attributes: bool
    """An attribute that a rule does not have may be None in a call of it."""
    rules_only_in_bzl_files: bool
    """``rule()`` works only while a .bzl file is loaded, not in a macro called from a BUILD file."""
    aspects_only_in_bzl_files: bool
    """``aspect()`` and ``repository_rule()`` work only while a .bzl file is loaded."""
    rule_extension: str
    """Availability of ``subrule()`` and of rule extension in ``rule()``: "unknown", "private" to Bazel's own files, or
    "public"."""
    exec_groups_are_known: bool
    """Rules may have exec groups."""
    toolchain_types_are_dependencies: bool
    """A target depends on the toolchain types that its rule requests."""
    toolchains_in_own_configuration: bool
    """A toolchain is evaluated in the configuration of the target that uses it, not in that of tools."""
    select_takes_constraint_values: bool
    """A constraint_value can be a key of a select()."""
    select_constraints_specialize: bool
    """A config_setting with more constraint_values is more specific."""
    repository_marks: tuple[str, ...]
    """Marker files that Bazel adds to a repository whose rule writes none; empty, except WORKSPACE."""
    repository_context_lacks: tuple[str, ...]
    """Members that repository_ctx, its os and paths do not have yet."""
    label_path_is_file: bool
    """A label passed to ``repository_ctx.path()`` must name an existing file; later, only its package must exist."""
    load_visibility_enforced: bool
    """A .bzl file can be loaded only where its ``visibility()`` allows it."""
    selects_simplified: bool
    """The value of an attribute is a plain value if its selects have only a default branch."""
    repository_rules_see_action_env: bool
    """The variables of ``--action_env`` are also visible to repository rules."""
    project_files: bool
    """PROJECT.scl may add flags to a build of the targets below its folder."""
    rule_class_limits: bool
    """A rule of a .bzl file may have so many attributes only, and their names be so long."""
    subrule_names_limited: bool
    """The names that attributes of subrules get in a rule may be so long only."""
    aspect_parameters: tuple[str, ...]
    """The types that parameters of aspects may have; with ``string`` alone they also need ``values``."""
    aspects_look_at_providers_or_outputs: bool
    """An aspect with ``required_providers`` may not ``apply_to_generating_rules``."""
    proto_infinity: str
    """How ``proto.encode_text`` writes it."""
    initializer_gets_none: bool
    """The initializer of a rule also receives attributes that were passed as None."""
    autoloaded_rules: tuple[str, ...]
    """Rules that Bazel loads automatically from their rule sets (``names.definition``)."""
    autoloads_without_modules: bool
    """Rules are also loaded automatically without modules."""
    main_without_autoloads: bool
    """Rules are never loaded automatically in the main repository (``--incompatible_autoload_externally``)."""
    without_autoloads: tuple[str, ...]
    """Modules whose repositories do not load rules automatically."""
    removed_rules: tuple[str, ...]
    """Rules whose names exist but fail when called."""
    emptied_rules: tuple[str, ...]
    """Rules without attributes of their own: only their names are left."""
    metadata_attribute: str
    """Attribute whose default is package(default_package_metadata = ...); the older name stays an alias."""
    rule_sets_apart: tuple[str, ...]
    """Rule sets with their own rules; in earlier versions these are the native rules."""
    workspace_file: str
    """Whether WORKSPACE "counts", counts "when asked for", or "never"."""
    tools_bazel_rc: str
    """When ``tools/bazel.rc`` is one of the rc files of a workspace: "always", "unless imported" or never ("")."""

    given_names: frozenset[str] = frozenset()
    """Names that this version lacks and that a tree loads automatically (``autoloads.with_autoloads``)."""
    taken_names: frozenset[str] = frozenset()
    """Names that this version has and that a tree removes."""

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
