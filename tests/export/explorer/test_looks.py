"""What the explorer's page does to a hostile checkout, to eyes, to printers and to programs that read its pictures."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree

import pytest

from tests.export.conftest import make_page

Opened = Callable[..., Any]
PIP = "//tensorflow/tools/pip_package:build_pip_package"
INTERNAL = "//tensorflow/python:pywrap_tensorflow_internal"
STATE = urlencode({"focus": INTERNAL, "down": INTERNAL, "up": INTERNAL, "selected": INTERNAL})
HARM = r"""</script><script>document.title=\"hurt\"</script><img src=x onerror=document.title=\"hurt\">'{{title}}"""
BUILD = f"""
genrule(
    name = "<img src=x onerror=alert(1)>",
    outs = ["o"],
    cmd = "{HARM}",
    message = "javascript:document.title='hurt'",
    tags = ["\\u202ertl\\u2066", "x" * 1000000, "&lt;b&gt;"],
)
filegroup(name = "top", srcs = [":<img src=x onerror=alert(1)>"])
[filegroup(name = "</svg><script>document.title=1</script>%d" % i) for i in range(3)]
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_hostile_checkout_runs_no_script(opened: Opened, tmp_path: Path, scheme: str) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(BUILD, encoding="utf-8")
    tab = opened(make_page(tmp_path, tmp_path / "page.html", "//...", "--define=<script>=1"), "open=//")
    tab.emulate_media(color_scheme=scheme)
    title = tab.title()
    label = "//:<img src=x onerror=alert(1)>"
    tab.fill("#search", "onerror")
    assert tab.locator("#matches li").first.inner_text() == label
    tab.keyboard.press("Enter")
    said = tab.inner_text("#panel")
    assert "</script><script>" in said
    assert "characters)" in said
    for forged in ("</svg><script>", "top"):
        tab.fill("#search", forged)
        tab.keyboard.press("Enter")
    tab.wait_for_timeout(200)
    assert tab.locator("img, iframe, object").count() == 0
    assert tab.locator("script").count() <= 1
    assert tab.title() == title


def luminance(colour: str) -> float:
    parts = [float(each) / 255 for each in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_have_the_contrast_of_wcag_aa(opened: Opened, mini_page: Path, scheme: str) -> None:
    tab = opened(mini_page, STATE + "&" + urlencode({"config": "--config=cuda"}))
    tab.emulate_media(color_scheme=scheme)
    texts = tab.evaluate(
        """() => [...document.querySelectorAll('.box text, header *, #panel *')]
        .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
        .filter(e => !e.closest('.box') || (!e.closest('.faded') && e.closest('.near')))
        .map(e => { const style = getComputedStyle(e); const drawn = e instanceof SVGElement;
          const behind = drawn ? e.parentElement.querySelector('rect') : null;
          let back = behind ? getComputedStyle(behind).fill : '';
          for (let up = e; !drawn && up; up = up.parentElement) {
            const own = getComputedStyle(up).backgroundColor;
            if (own !== 'rgba(0, 0, 0, 0)') { back = own; break; }
          }
          return [e.textContent, drawn ? style.fill : style.color, back]; })"""
    )
    assert len(texts) > 40
    poor = [(text, front, back) for text, front, back in texts if back and contrast(front, back) < 4.5]
    assert poor == []


def test_texts_stay_inside_of_their_boxes(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page, STATE)
    outside = tab.evaluate(
        """() => [...document.querySelectorAll('.box')].flatMap(box => {
          const edge = box.querySelector('rect').getBoundingClientRect();
          const sign = box.querySelector('.sign')?.getBoundingClientRect();
          return [...box.querySelectorAll(':scope > text')].filter(text => {
            const own = text.getBoundingClientRect();
            return own.left < edge.left || own.right > edge.right || own.bottom > edge.bottom
              || (sign && own.right > sign.left && own.top < sign.bottom && own.bottom > sign.top);
          }).map(text => text.textContent); })"""
    )
    assert outside == []


def test_what_is_seen_is_saved_as_svg_and_png(opened: Opened, mini_page: Path, tmp_path: Path) -> None:
    tab = opened(mini_page, STATE)
    tab.locator("summary", has_text="More").click()
    saved = {}
    for kind in ("SVG", "PNG"):
        with tab.expect_download() as waiting:
            tab.locator("button", has_text=f"Save {kind}").click()
        saved[kind] = tmp_path / f"saved.{kind}"
        waiting.value.save_as(saved[kind])
    root = ElementTree.fromstring(saved["SVG"].read_text(encoding="utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    texts = "".join(root.itertext())
    assert "py_library rule" in texts
    assert "script" not in {element.tag.rpartition("}")[2] for element in root.iter()}
    head = saved["PNG"].read_bytes()[:24]
    width, height = struct.unpack(">II", head[16:])
    assert head.startswith(b"\x89PNG")
    assert abs(width / height - float(root.get("width", 0)) / float(root.get("height", 1))) < 0.02


def test_paper_shows_the_drawing_alone(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page, STATE)
    tab.emulate_media(media="print")
    assert tab.locator("#stage").is_visible()
    assert not tab.locator("header").is_visible()
    assert not tab.locator("#panel").is_visible()


def test_from_afar_texts_are_left_out_but_not_on_paper(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page, STATE)
    for _ in range(12):
        tab.keyboard.press("-")
    tab.locator("#stage.far").wait_for()
    assert not tab.locator(".box text.name").first.is_visible()
    tab.emulate_media(media="print")
    assert tab.locator(".box text.name").first.is_visible()
    tab.emulate_media(media="screen")
    tab.keyboard.press("0")
    tab.locator("#stage:not(.far) .box text.name").first.wait_for()


def test_choosing_a_box_touches_nothing_but_marks(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page, STATE)
    touched = tab.evaluate(
        """() => { const seen = new MutationObserver(() => 0);
        seen.observe(document.querySelector('#stage'), {attributes: true, subtree: true, childList: true});
        document.querySelector('.box').dispatchEvent(new MouseEvent('click', {bubbles: true}));
        return [...new Set(seen.takeRecords().map(each => each.attributeName ?? 'lines'))].sort(); }"""
    )
    assert set(touched) <= {"class", "lines", "tabindex"}


def test_boxes_that_need_each_other_have_one_line_with_a_number(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    for name, other, many in (("a", "b", 3), ("b", "a", 1)):
        (tmp_path / name).mkdir()
        rules = [f'filegroup(name = "x{at}", srcs = ["//{other}:y"])' for at in range(many)]
        (tmp_path / name / "BUILD").write_text("\n".join(['filegroup(name = "y")', *rules]), encoding="utf-8")
    tab = opened(make_page(tmp_path, tmp_path / "page.html", "//..."))
    assert tab.locator(".numbers text").all_text_contents() == ["4"]
    line = tab.locator(".lines .mutual")
    assert line.count() == 1
    assert line.get_attribute("d").count("Z") == 2  # a head at each end
    line.dispatch_event("click")
    assert tab.locator("#panel h2").all_inner_texts() == ["//a → //b", "//b → //a"]
    assert tab.locator("#panel li").count() == 4
    near = tab.evaluate(
        """() => { const number = document.querySelector('.numbers text').getBoundingClientRect();
        const [x, y] = [number.left + number.width / 2, number.top + number.height / 2];
        return Math.min(...[...document.querySelectorAll('.line')].flatMap(line => [...Array(21).keys()].map(at => {
          const point = line.getPointAtLength(line.getTotalLength() * at / 20).matrixTransform(line.getScreenCTM());
          return Math.hypot(point.x - x, point.y - y); }))); }"""
    )
    assert near < 12


def test_lines_lead_past_boxes(opened: Opened, mini_page: Path) -> None:
    """On the map and alone: no line runs over a box that it does not belong to."""
    for state in ("open=//tensorflow/...&open=//tensorflow/python/...", STATE, f"from={PIP}&to=@swig//:swig"):
        tab = opened(mini_page, state)
        hit = tab.evaluate(
            """() => { const boxes = [...document.querySelectorAll('.box:not(.frame)')].map(box =>
              [box.getAttribute('aria-label'), box.querySelector('rect').getBoundingClientRect()]);
            return [...document.querySelectorAll('.lines .line:not([data-extra])')].flatMap(line => {
              const all = line.getTotalLength(), place = line.getScreenCTM();
              const inside = ({x, y}, box) =>
                box.left + 2 < x && x < box.right - 2 && box.top + 2 < y && y < box.bottom - 2;
              const points = [...Array(60).keys()].map(at => line.getPointAtLength(all * at / 60));
              return points.map(point => point.matrixTransform(place))
                .flatMap(point => boxes.filter(([, box]) => inside(point, box)).map(([name]) => name)); }); }"""
        )
        assert tab.locator(".lines .line").count() > 8, state
        assert hit == [], state


def test_what_moves_as_a_whole_is_not_drawn_again(opened: Opened, tmp_path: Path) -> None:
    """Opening a group moves an open one beside it by one attribute; nothing in that is touched."""
    (tmp_path / "WORKSPACE").touch()
    for name, end in (("above", "//below:x0"), ("below", "")):
        (tmp_path / name).mkdir()
        rules = [f'filegroup(name = "x{at}", srcs = ["x{at + 1}"])' for at in range(8)]
        last = f'filegroup(name = "x8", srcs = {[end] if end else []})'
        (tmp_path / name / "BUILD").write_text("\n".join([*rules, last]), encoding="utf-8")
    tab = opened(make_page(tmp_path, tmp_path / "page.html", "//..."), urlencode({"open": "//below"}))
    inside = tab.locator('.box[aria-label^="//below:"]')
    lines = tab.locator(".lines .line").count()
    assert (inside.count(), lines) == (9, 9)
    before = inside.first.bounding_box()
    tab.evaluate(
        """() => { window.touched = []; new MutationObserver(all => touched.push(...all.map(each => each.target)))
        .observe(document.querySelector('.drawing'), {attributes: true, childList: true, subtree: true}); }"""
    )
    tab.locator('.box[aria-label^="package //above,"] .sign').click()
    assert tab.locator(".lines .line").count() == 2 * lines - 1
    assert inside.first.bounding_box() != before
    touched = "own => own.filter(each => touched.includes(each)).length"
    assert inside.evaluate_all(touched) == 0
    assert tab.locator(".lines .line").evaluate_all(touched) <= 1 + 8  # that between the groups, and the new ones


def test_the_whole_drawing_is_in_view_whatever_the_window_until_it_is_moved(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page, f"from={PIP}&to=@swig//:swig&config=--config=cuda")
    inside = """() => { const stage = document.querySelector('#stage').getBoundingClientRect();
      return [...document.querySelectorAll('.box')].every(box => { const own = box.getBoundingClientRect();
        return own.top >= stage.top && own.bottom <= stage.bottom && own.left >= stage.left && own.right <= stage.right;
      }); }"""
    tab.wait_for_function(inside)
    tab.set_viewport_size({"width": 800, "height": 600})
    tab.wait_for_function(inside)
    tab.locator("#stage").focus()
    for _ in range(3):
        tab.keyboard.press("+")
    tab.set_viewport_size({"width": 900, "height": 640})
    tab.wait_for_timeout(200)
    assert not tab.evaluate(inside)


def test_lines_that_longer_ways_imply_are_left_out_until_they_are_wanted(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    for name, needs in (("a", "bc"), ("b", "c"), ("c", "")):
        (tmp_path / name).mkdir()
        ends = ", ".join(f'"//{each}:x"' for each in needs)
        (tmp_path / name / "BUILD").write_text(f'filegroup(name = "x", srcs = [{ends}])', encoding="utf-8")
    tab = opened(make_page(tmp_path, tmp_path / "page.html", "//..."))
    assert tab.locator(".lines .line").count() == 2
    assert tab.inner_text("#status").startswith("1 line implied by longer paths not drawn; ")
    tab.locator('.box[aria-label^="package //a,"] rect').first.click()  # all lines of a box that is chosen
    assert tab.locator(".line.near").count() == 2
    tab.keyboard.press("Escape")
    tab.locator("#filters summary").click()
    tab.locator('[data-kind="implied"]').check()
    assert tab.locator(".lines .line").count() == 3


def test_what_most_others_use_has_no_lines_on_the_map_until_they_are_wanted(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    for at in range(12):
        (tmp_path / f"p{at}").mkdir()
        ends = ['"//hub:x"'] + ([f'"//p{at - 1}:x"'] if at else [])
        (tmp_path / f"p{at}" / "BUILD").write_text(
            f'filegroup(name = "x", srcs = [{", ".join(ends)}])\nfilegroup(name = "y")'
        )
    (tmp_path / "hub").mkdir()
    (tmp_path / "hub" / "BUILD").write_text(
        'filegroup(name = "x", srcs = ["//low:x"])\nfilegroup(name = "z", srcs = ["//p3:y", "//p7:y"])'
    )
    (tmp_path / "low").mkdir()
    (tmp_path / "low" / "BUILD").write_text('filegroup(name = "x")')
    tab = opened(make_page(tmp_path, tmp_path / "page.html", "//..."))
    assert tab.locator(".lines .line").count() == 11  # from each package to the one before
    assert tab.inner_text("#status").startswith("13 lines of boxes that most others use not drawn; ")
    hub = tab.locator('.box[aria-label^="package //hub,"]')
    assert hub.locator(".note").text_content() == "2 targets · used by 12 of 13, 2 mutually"
    below = "all => all.map(e => e.getBoundingClientRect().top)"
    assert hub.evaluate_all(below)[0] >= max(tab.locator('.box[aria-label^="package //p"]').evaluate_all(below))
    hub.locator("rect").first.click()
    assert tab.locator(".line.near").count() == 13
    tab.keyboard.press("Escape")
    tab.locator("#filters summary").click()
    tab.locator('[data-kind="hubs"]').check()
    assert tab.locator('.box[aria-label^="package //hub,"] .note').text_content() == "2 targets"
    assert "most others use" not in tab.inner_text("#status")


def test_colours_and_lines_have_their_legend(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page, STATE + "&" + urlencode({"config": "--config=cuda"}))
    said = tab.locator("#legend span").all_inner_texts()
    assert {"Python", "generated file", "depends on", "implicit or tool", "condition holds"} <= set(said)
    assert "smallest cut" not in said
    fills = tab.locator(".box.of-Python > rect").evaluate_all("all => all.map(e => getComputedStyle(e).fill)")
    sample = tab.locator("#legend .of-Python rect").evaluate("e => getComputedStyle(e).fill")
    assert fills
    assert set(fills) - {sample} <= {"rgb(255, 243, 196)"}  # the box that is chosen


def test_a_configuration_lights_up_on_the_map_what_it_alone_adds(opened: Opened, mini_page: Path) -> None:
    state = urlencode([("open", "//tensorflow/..."), ("open", "//tensorflow/core/...")])
    lit = {
        words: opened(mini_page, f"{state}&{urlencode({'config': words})}").locator(".lines .holds").count()
        for words in ("-c fastbuild", "-c opt", "--config=cuda")
    }
    assert lit["-c fastbuild"] == lit["-c opt"] < lit["--config=cuda"]


def test_a_narrow_window_has_the_panel_below_the_drawing(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page)
    tab.set_viewport_size({"width": 380, "height": 800})
    size = "(b => [b.x, b.y, b.width, b.height])(document.querySelector('{}').getBoundingClientRect())"
    (_, top, wide, high), (left, below, *_) = (tab.evaluate(size.format(each)) for each in ("#stage", "#panel"))
    assert (wide, left) == (380, 0)
    assert high >= 0.34 * 800
    assert below >= top + high


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_reader_chooses_light_or_dark_against_the_system(
    opened: Opened, mini_page: Path, scheme: str, tmp_path: Path
) -> None:
    tab = opened(mini_page, STATE)
    tab.emulate_media(color_scheme=scheme)

    def is_dark() -> set[bool]:
        """Of the page and of a box."""
        page = tab.evaluate("getComputedStyle(document.body).backgroundColor")
        box = tab.evaluate("getComputedStyle(document.querySelector('.box > rect')).fill")
        return {luminance(page) < 0.2, luminance(box) < 0.2}

    assert is_dark() == {scheme == "dark"}
    tab.locator("summary", has_text="More").click()
    tab.locator("button", has_text="Light or dark").click()
    assert is_dark() == {scheme == "light"}
    with tab.expect_download() as waiting:
        tab.locator("button", has_text="Save SVG").click()
    waiting.value.save_as(tmp_path / "saved.svg")
    picture = tab.context.new_page()
    picture.goto((tmp_path / "saved.svg").as_uri())
    fill = picture.evaluate("getComputedStyle(document.querySelector('.box > rect')).fill")
    assert luminance(fill) < 0.2 if scheme == "light" else luminance(fill) > 0.2
