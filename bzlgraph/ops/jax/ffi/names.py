"""How C++ spells the names, handlers and platforms of custom calls: tokens -> texts; rules 4, 7, 8 of ``handlers``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from bzlgraph.cpp import Kind, Token, joined_string

PREFIXES = {"JAX_GPU_CUDA": "cu", "JAX_GPU_HIP": "hip", "JAX_GPU_ONEAPI": "oneapi"}
"""Rule 7: how names begin where the macro is defined."""
OF_PREFIXES = {"cu": "cuda", "hip": "rocm", "oneapi": "oneapi"}
ANY_GPU = "gpu"
OF_FOLDERS = {"/cpu/": "cpu", "cuda": "cuda", "rocm": "rocm", "oneapi": "oneapi", "gpu": ANY_GPU}
PLATFORMS = {"host": "cpu", "cuda": "cuda", "rocm": "rocm"}
"""Rule 7: platforms as C++ writes them, and what rules call them."""
STAGES = frozenset({"instantiate", "prepare", "initialize", "execute"})
RUNS = "execute"
"""Rule 8."""


def platform_of(path: str, name: str) -> str:
    """Rule 7: where what a file registers runs, ``ANY_GPU`` for what is built for each of them."""
    by_name = next((each for prefix, each in OF_PREFIXES.items() if name.startswith(prefix)), "")
    by_place = next((platform for word, platform in OF_FOLDERS.items() if word in path), "")
    return by_name if by_name and by_place != "cpu" else by_place


def handler_of(parts: Sequence[Sequence[Token]]) -> str:
    """The second argument of a handler macro: commas between its angle brackets are its own. Of the stages of a bundle
    (``{instantiate, nullptr, nullptr, execute}``) the last."""
    text = ""
    for part in parts:
        text += (", " if text else "") + "".join(token.text for token in part)
        if text.count("<") <= text.count(">") and text.count("{") <= text.count("}"):
            break
    return text[1:-1].strip(",").rpartition(",")[2].strip() if text.startswith("{") else text


def bundles(tokens: Sequence[Token]) -> dict[str, list[str]]:
    """Rule 8: the names under which a dict holds each variable."""
    found: dict[str, list[str]] = {}
    for at in range(len(tokens) - 5):
        opening, text, *after = tokens[at : at + 6]
        words = [each.text for each in after]
        if opening.text == "[" and text.kind == Kind.STRING and words[:2] == ["]", "="] and words[3] == ";":
            found.setdefault(words[2], []).append(joined_string([text]) or "")
    return found


def of_stage(variable: str, names: list[str], held: dict[str, list[str]]) -> list[str]:
    """Rule 8: the names of entries of a dict; of a bundle's stages what the bundle is called."""
    if variable in held and STAGES.issuperset(names):
        return held[variable] if names == [RUNS] else []
    return names


def stage_run(words: list[str]) -> list[str]:
    """Rule 8: of a dict of stages that is written in one place, what stands between the stage that runs and the next.

    >>> stage_run('dict ( arg ( "prepare" ) = C ( G ) , arg ( "execute" ) = C ( H ) )'.split())[2:5]
    ['C', '(', 'H']
    >>> stage_run("C ( H )".split())
    ['C', '(', 'H', ')']
    """
    at = [place for place, word in enumerate(words) if word.strip('"') in STAGES and word.startswith('"')]
    begun = next((place for place in at if words[place].strip('"') == RUNS), None)
    if begun is None:
        return words
    return words[begun + 1 : next((place for place in at if place > begun), len(words))]


def holds(name: str, condition: str) -> bool:
    """Rule 7: whether a name that was put together with a prefix can be under the condition."""
    words = condition.replace("(", " ").replace(")", " ").replace("!", " !").split()
    own = [prefix for macro, prefix in PREFIXES.items() if macro in words]
    return not own or name.startswith(tuple(own)) or not name.startswith(tuple(PREFIXES.values()))


def names_in(tokens: Sequence[Token], macros: dict[str, list[str]]) -> list[str]:
    """Rule 4: the texts of adjacent literals and literal macros; none when anything else stands there."""
    choices: list[list[str]] = []
    for token in tokens:
        if token.kind == Kind.STRING:
            choices.append([joined_string([token]) or ""])
        elif token.text in macros:
            choices.append(macros[token.text])
        else:
            return []
    return ["".join(parts) for parts in product(*choices)] if choices else []


def spelled(parts: Sequence[Sequence[Token]]) -> str:
    """Arguments as one text: a template's commas split it before."""
    return ", ".join("".join(token.text for token in part) for part in parts)


def plain_name(function: str) -> str:
    """A function's name without template arguments and outer namespaces: ``A<float>::Kernel`` -> ``A::Kernel``."""
    plain = ""
    depth = 0
    for letter in function.lstrip("&"):
        depth += letter == "<"
        if depth == 0:
            plain += letter
        depth -= letter == ">"
    return "::".join(plain.split("::")[-2:]) if plain.endswith("::Kernel") else plain.rpartition("::")[2]
