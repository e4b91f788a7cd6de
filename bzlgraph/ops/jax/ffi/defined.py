"""Which function a registration of a custom call means when several files define one of that name.

Two files that one library links cannot both define it, so builds choose: by platform, as a rule. Rules, the first that
leaves one file:

1. The registration's own file.
2. What lies in the folder of another platform is left out; what lies in that of the registration's own comes first.
3. A registration for every GPU may mean another file on each of them: none is known.
4. The registration's folder; then the file that a header is beside which the registration's file includes.

Where two are left, it is not known which: the line is 0 (``NOWHERE``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bzlgraph.ops.jax.ffi.model import NOWHERE, FileLine, Handler
from bzlgraph.ops.jax.ffi.names import ANY_GPU, plain_name, platform_of

Made = tuple[str, FileLine]
"""The function that a handler is made of, and where that is said."""


def defined(
    each: Handler,
    functions: Mapping[str, Sequence[FileLine]],
    made_of: Mapping[str, Sequence[Made]],
    includes: Sequence[str] = (),
) -> Handler:
    """A registration with the function behind its handler, else the handler's own definition; ``includes`` are those
    of its file."""
    made = made_of.get(plain_name(each.handler), [(each.handler, NOWHERE)])
    at = _meant([place for _, place in made], each, includes)
    function = next((name for name, place in made if place == at), None)
    if function is None:
        alike = {name for name, _ in made}
        return each._replace(function=alike.pop() if len(alike) == 1 else each.handler)
    places = functions.get(plain_name(function), ())
    path, line = next((own for own in places if own[0] in (each.path, at[0])), None) or _meant(places, each, includes)
    return each._replace(function=function, defined_path=path or at[0], defined_line=line or at[1])


def _meant(places: Sequence[FileLine], each: Handler, includes: Sequence[str]) -> FileLine:
    """The first place in the one file that is meant, ``NOWHERE`` if that is not known."""
    paths = dict.fromkeys(path for path, _ in places)
    if each.path in paths:
        return _first(places, [each.path])
    if len(paths) > 1:
        paths = dict.fromkeys(_on_platform(paths, each.platform))
    if len(paths) > 1 and each.platform != ANY_GPU:
        folder = each.path.rpartition("/")[0]
        beside = [path for path in paths if path.rpartition("/")[0] == folder]
        declared = tuple("/" + name.rpartition(".")[0] for name in includes)
        paths = dict.fromkeys(beside or [path for path in paths if f"/{path.partition('.')[0]}".endswith(declared)])
    return _first(places, list(paths))


def _on_platform(paths: Iterable[str], platform: str) -> list[str]:
    """Rule 2."""
    places = {path: platform_of(path, "") for path in paths}
    if platform in ("", ANY_GPU):
        return list(places)
    own = [path for path, place in places.items() if place == platform]
    return own or [path for path, place in places.items() if place in ("", ANY_GPU)]


def _first(places: Sequence[FileLine], paths: Sequence[str]) -> FileLine:
    return next((each for each in places if each[0] in paths), NOWHERE) if len(paths) == 1 else NOWHERE
