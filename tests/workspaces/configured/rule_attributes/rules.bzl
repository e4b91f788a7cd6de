"""Transitions that look at the attributes of a target."""

_ALLOWED = {"_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist")}

def _nothing(ctx):
    return []

def _writes(ctx):
    ctx.actions.write(ctx.outputs.out, "")
    return []

string_flag = rule(_nothing, build_setting = config.string(flag = True))
plain = rule(_nothing, attrs = {"deps": attr.label_list()})

def _names(labels):
    return [each.name for each in labels]

QUESTIONS = [
    "name", "int", "bool", "bool_type", "string", "strings",
    "strings_type", "ints", "dict", "dict_of_lists", "dict_order", "label_type",
    "label", "label_none", "labels", "labels_empty", "keyed_keys", "keyed_values",
    "output_type", "tags", "testonly", "visibility", "deps", "private",
    "private_value", "absent", "chosen", "chosen_value", "mandatory", "features",
    "generator",
]

def _answer(what, attr):
    if what == "name":
        return attr.name == "name"
    if what == "int":
        return attr.number == 3
    if what == "bool":
        return attr.switch == True
    if what == "bool_type":
        return type(attr.switch) == "bool"
    if what == "string":
        return attr.word == "plain"
    if what == "strings":
        return attr.words == ["a", "b"]
    if what == "strings_type":
        return type(attr.words) == "list"
    if what == "ints":
        return attr.numbers == [1, 2]
    if what == "dict":
        return attr.pairs == {"a": "b"}
    if what == "dict_of_lists":
        return attr.lists == {"a": ["b", "c"]}
    if what == "dict_order":
        return list(attr.ordered) == ["z", "a"]
    if what == "label_type":
        return type(attr.one) == "Label"
    if what == "label":
        return attr.one == Label("//:seen")
    if what == "label_none":
        return attr.none == None
    if what == "labels":
        return _names(attr.many) == ["seen", "if_yes"]
    if what == "labels_empty":
        return attr.empty == []
    if what == "keyed_keys":
        return _names(attr.keyed) == ["seen"]
    if what == "keyed_values":
        return attr.keyed.values() == ["x"]
    if what == "output_type":
        return type(attr.out) == "Label"
    if what == "tags":
        return attr.tags == ["b", "a"]
    if what == "testonly":
        return attr.testonly == False
    if what == "visibility":
        return hasattr(attr, "visibility")
    if what == "deps":
        return _names(attr.deps) == ["seen"]
    if what == "private":
        return hasattr(attr, "_private")
    if what == "private_value":
        return attr._private.name == "if_no"
    if what == "absent":
        return not hasattr(attr, "absent")
    if what == "chosen":
        return hasattr(attr, "chosen")
    if what == "chosen_value":
        return attr.chosen == "yes"
    if what == "mandatory":
        return attr.needed == "n"
    if what == "features":
        return attr.features == ["f"]
    return hasattr(attr, "generator_name")

def _ask(settings, attr):
    return {"//:answer": "yes" if _answer(attr.what, attr) else "no"}

_ASK = transition(implementation = _ask, inputs = [], outputs = ["//:answer"])
_ATTRIBUTES = dict({
    "what": attr.string(mandatory = True),
    "number": attr.int(default = 3),
    "switch": attr.bool(default = True),
    "word": attr.string(default = "plain"),
    "words": attr.string_list(default = ["a", "b"]),
    "numbers": attr.int_list(default = [1, 2]),
    "pairs": attr.string_dict(default = {"a": "b"}),
    "lists": attr.string_list_dict(default = {"a": ["b", "c"]}),
    "ordered": attr.string_dict(default = {"z": "1", "a": "2"}),
    "one": attr.label(default = "//:seen"),
    "none": attr.label(),
    "many": attr.label_list(default = ["//:seen", "//:if_yes"]),
    "empty": attr.label_list(),
    "keyed": attr.label_keyed_string_dict(default = {"//:seen": "x"}),
    "chosen": attr.string(default = "yes"),
    "needed": attr.string(mandatory = True),
    "out": attr.output(mandatory = True),
    "_private": attr.label(default = "//:if_no"),
}, **_ALLOWED)

of_rule = rule(_writes, cfg = _ASK, attrs = dict({"deps": attr.label_list()}, **_ATTRIBUTES))
of_attribute = rule(_writes, attrs = dict({"deps": attr.label_list(cfg = _ASK)}, **_ATTRIBUTES))

def ask_all(name, rule, **kwargs):
    """A target for each question, and one that has them all."""
    for what in QUESTIONS:
        rule(
            name = what if name == "rule" else name + "_" + what,
            out = name + "_" + what + ".txt",
            features = ["f"],
            needed = "n",
            tags = ["b", "a"],
            what = what,
            deps = [":seen"],
            **kwargs
        )
