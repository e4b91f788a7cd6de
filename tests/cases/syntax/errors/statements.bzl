# What needs no names to be seen: targets, arguments, parameters, loads, statements in wrong places.
1 = 2 ### "cannot assign to a literal"
f() = 1 ### "cannot assign to a call"
x + 1 = 2 ### "cannot assign to an expression"
[a, 1] = 2 ### "cannot assign to a literal"
(a, (b, f())) = 2 ### "cannot assign to a call"
(a, b) += 1 ### "`\+=` takes one target, not a tuple"
[a] -= 1 ### "`-=` takes one target, not a list"
f() //= 1 ### "cannot assign to a call"
a[1:2] = 3 ### "cannot assign to a slice"
[x for f() in y] ### "cannot assign to a call"
a.b = 1
a[0], (b.c, [d]) = 1, 2
---
f(a = 1, 2) ### "positional arguments may not follow named arguments"
f(a = 1, a = 2) ### "argument `a` is given twice"
f(*a, 1) ### "positional arguments may not follow the `\*` argument"
f(*a, *b) ### "only one `\*` argument"
f(**a, *b) ### "no argument may follow the `\*\*` argument"
f(**a, b = 1) ### "no argument may follow the `\*\*` argument"
f(**a, **b) ### "no argument may follow the `\*\*` argument"
f(1, a = 2, *b, c = 3, **d)
---
def f(a, a): pass ### "duplicate parameter: `a`"
def f(a, *a): pass ### "duplicate parameter: `a`"
def f(a = 1, b): pass ### "mandatory parameter `b` may not follow an optional parameter"
def f(**k, a): pass ### "no parameter may follow the `\*\*` parameter"
def f(*a, *b): pass ### "only one `\*` parameter"
def f(*): pass ### "a bare `\*` must be followed"
def f(*, **k): pass ### "a bare `\*` must be followed"
g = lambda a, a: a ### "duplicate parameter: `a`"
def f(a, b = 1, *, c, d = 2, e, **k): pass
---
load("a") ### "must name at least one symbol"
load() ### "first operand of `load` must be a string literal"
load(x, "y") ### "first operand of `load` must be a string literal"
load(a = "x", b = "y") ### "first operand of `load` must be a string literal"
load("x", y) ### "names in `load` must be string literals"
load("x", *y) ### "names in `load` must be string literals"
load("x", y = z) ### "names in `load` must be string literals"
load("x", "_y") ### "symbol `_y` is private"
load("x", y = "_y") ### "symbol `_y` is private"
load("x", "a b") ### "not a name"
load("x", _y = "y", "z")
---
return 1 ### "`return` is only allowed in a function"
break ### "`break` is only allowed in a loop"
continue ### "`continue` is only allowed in a loop"
pass
if x: pass ### "`if` statements are not allowed at the top level"
for x in y: pass ### "`for` statements are not allowed at the top level"
while x: pass ### "no `while` loops"
---
def f():
    load("a", "b") ### "`load` is only allowed at the top level"
    break ### "`break` is only allowed in a loop"
    for x in y:
        if x:
            break
        def g():
            continue ### "`continue` is only allowed in a loop"
        return x
    if x: load("a", "b") ### "`load` is only allowed at the top level"
