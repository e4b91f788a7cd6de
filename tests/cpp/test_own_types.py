"""Other names of types, in code that is written in many ways."""

import pytest

from bzlgraph.cpp.own_types import MAX_GROWTH, with_own_types
from bzlgraph.cpp.tokens import tokenize


def written(code: str) -> str:
    return "".join(each.text for each in with_own_types(tokenize(code)))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("f(A::x);", "f(A::x);"),
        ("using b::A; f(A::x);", "usingb::A;f(A::x);"),
        (
            "using A = typename b::C<D>; f(&A::x, y->A, z::A);",
            "usingA=typenameb::C<D>;f(&typenameb::C<D>::x,y->A,z::A);",
        ),
        ("using A = B; using B = c::D; f(A(), B());", "usingA=B;usingB=c::D;f(B(),c::D());"),
        ("using A = b::A; using C = A; f(C());", "usingA=b::A;usingC=b::A;f(b::A());"),
        ("template <typename T> using A = b::C<T>; f(A<int>());", "template<typenameT>usingA=b::C<T>;f(A<int>());"),
        ("{ using A = B; } f(A());", "{usingA=B;}f(A());"),
        (
            "{ using A = B; { using A = C; using A = D; f(A()); } f(A()); }",
            "{usingA=B;{usingA=C;usingA=D;f(D());}f(B());}",
        ),
        ("} using A = B; } f(A());", "}usingA=B;}f(B());"),
        ("using A = B", "usingA=B"),
        ("using A", "usingA"),
        ("{ typedef b::C<D, E> A; f(A::g); } A x;", "{typedefb::C<D,E>A;f(b::C<D,E>::g);}Ax;"),
        ("typedef struct A A; typedef int A[3]; typedef int B, A; f(A());", None),
        ("typedef int (*A)(int); f(A());", None),
        ("typedef A", None),
    ],
)
def test_names_of_types(code: str, expected: str | None) -> None:
    assert written(code) == (expected or "".join(each.text for each in tokenize(code)))


def test_what_is_written_for_a_name_stands_at_its_place() -> None:
    tokens = with_own_types(tokenize("using A = b::C;\nf(A());"))
    assert [each.start for each in tokens[-8:]] == [17, 18, 18, 18, 19, 20, 21, 22]


def test_a_chain_of_names_that_grows_and_braces_without_end_are_left_alone() -> None:
    chain = "using A0 = T<int, int>;" + "".join(f"using A{n + 1} = T<A{n}, A{n}>;" for n in range(40))
    assert len(with_own_types(tokenize(chain))) <= MAX_GROWTH * len(tokenize(chain))
    deep = "{using A = B;" * 20_000
    assert len(with_own_types(tokenize(deep))) == len(tokenize(deep))
    open_ended = tokenize("typedef a " * 20_000)
    assert with_own_types(open_ended) == open_ended
