"""``repository_ctx``: what the implementation of a repository rule is given. It writes to memory.

Rules: https://bazel.build/rules/lib/builtins/repository_ctx
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.repository.base_ctx import BASE_METHODS, BaseContext, changed
from bzlgraph.bazel.repository.files import Kind
from bzlgraph.bazel.repository.path_value import PathValue, path_of
from bzlgraph.starlark.builtin import method_table
from bzlgraph.starlark.checks import want_int, want_string, wrong_type
from bzlgraph.starlark.evaluation.budget import charge_string
from bzlgraph.starlark.lib.struct import Struct


@dataclass(slots=True, eq=False)
class RepositoryCtx(BaseContext):
    """The value. ``name`` is the canonical name, ``original_name`` the one that was written."""

    type_name: ClassVar[str] = "repository_ctx"
    name: str
    original_name: str
    attr: Struct

    def get_attr(self, name: str) -> object:
        if name in self.run.facts.repository_context_lacks:
            raise AttributeError(name)
        if name == "workspace_root":
            return PathValue(self.run.files.workspace_root, self.run)
        return getattr(self, name) if name in _FIELDS else super(RepositoryCtx, self).get_attr(name)

    def attr_names(self) -> Iterable[str]:
        return (*_FIELDS, "workspace_root", *super(RepositoryCtx, self).attr_names())

    def template(
        self,
        path: object,
        template: object,
        substitutions: object = None,
        executable: object = True,
        watch_template: object = "auto",
    ) -> None:
        """``template(path, template, substitutions)``: writes a file, texts in it replaced one after the other."""
        text = self.read_text(template, "template")
        if isinstance(text, Uncertain):
            self.put_opaque(path, text.text, "template")
            return
        assert isinstance(text, str)
        for key, value in self._substitutions(substitutions):
            if key:
                charge_string(len(text) + text.count(key) * len(value))
                text = text.replace(key, value)
        self.write_text(path, text, "template")

    def _substitutions(self, given: object) -> list[tuple[str, str]]:
        if given is None or isinstance(given, Uncertain):
            return []
        if not isinstance(given, dict):
            raise wrong_type(given, "template", "substitutions", "dict")
        return [
            (want_string(key, "template", "substitutions"), want_string(value, "template", "substitutions"))
            for key, value in given.items()
        ]

    def symlink(self, target: object, link_name: object, /) -> None:
        """``symlink(target, link_name)``: the repository has the file or folder under another name."""
        found = path_of(target, self.run, "symlink")
        place = self.writable(link_name, "symlink")
        if place is None:
            return
        if isinstance(found, PathValue) and found.kind() is not Kind.UNKNOWN:
            changed(self.run.files.link, place, found.text)
            return
        if place != self.run.files.root:
            self.put_opaque(link_name, f"link to {found.text}", "symlink")
        self.run.miss(f"{self.run.source} links {found.text}", "its content, if it is a folder, is unknown")

    def delete(self, path: object, /) -> object:
        """``delete(path)``: whether there was something."""
        place = self.writable(path, "delete")
        return False if place is None else changed(self.run.files.delete, place)

    def rename(self, src: object, dst: object, /) -> None:
        """``rename(src, dst)``"""
        old, new = self.writable(src, "rename"), self.writable(dst, "rename")
        if old is not None and new is not None:
            changed(self.run.files.rename, old, new)

    def patch(self, patch_file: object, strip: object = 0, watch_patch: object = "auto") -> None:
        """``patch(patch_file, strip)``: applies a unified diff."""
        text = self.read_text(patch_file, "patch")
        if isinstance(text, Uncertain) or not self.run.complete:
            self.run.miss(f"{self.run.source} is patched", "what the patch changes")
        else:
            assert isinstance(text, str)
            data = text.encode("utf-8", "surrogateescape")
            changed(self.run.files.patch, data, want_int(strip, "patch", "strip"))

    def watch_tree(self, path: object, /) -> None:
        """Nothing is fetched again."""

    def repo_metadata(self, *, reproducible: object = False, attrs_for_reproducibility: object = None) -> Struct:
        """``repo_metadata(...)``: what the rule says of itself."""
        return Struct({"reproducible": reproducible, "attrs_for_reproducibility": attrs_for_reproducibility})

    functions: ClassVar[Mapping[str, Callable[..., object]]] = {
        **BASE_METHODS,
        **method_table(template, symlink, delete, rename, patch, watch_tree, repo_metadata),
    }


_FIELDS = ("name", "original_name", "attr")
