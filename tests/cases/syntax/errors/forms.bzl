# Broken forms: what the grammar refuses. Chunks by `---`; the error stands on the line it is about.
x = [1, 2
y = 3 ### "expected `,` or `\]` to close the list opened at line 2, found `y`"
z = 4
---
foo(
    name = "x",
    srcs = ["a", "b",
    deps = [], ### "expected `,` or `\]` to close the list opened at line 8, found `=`"
)
bar(name = "y"
    "z") ### "adjacent strings are not joined"
---
cc_library(
    name = "a"
    srcs = ["b"], ### "expected `,` or `\)` to close the call of `cc_library` opened at line 14, found `srcs`"
)
---
cc_library( ### "`\(` is never closed: expected `\)` to close the call of `cc_library`"
    name = "a",

cc_library(name = "b")
---
f(x)[ ### "`\[` is never closed: expected `\]` to close the index"
---
x = [1, 2) ### "expected `,` or `\]` to close the list opened at line 26, found `\)`"
y = (1] ### "expected `,` or `\)` to close the parenthesis"
z = } ### "`}` is unmatched"
w = 1) ### "`\)` is unmatched"
---
x = ["a"
     "b"] ### "adjacent strings are not joined"
y = "a" "b" ### "adjacent strings are not joined"
z = "a" 'b' ### "adjacent strings are not joined"
---
x = (y for y in z) ### "no generator expressions"
f(x for x in y) ### "no generator expressions"
---
x = {1, 2} ### "expected `:` and a value"
y = {1} ### "expected `:` and a value"
z = {x for x in y} ### "expected `:` and a value"
---
x = 1 if y ### "expected `else` and a value: a conditional expression needs both, found the end of the line"
[x if y] ### "expected `else` and a value"
---
def f(x) ### "expected `:`, found the end of the line"
    return 1

def g():
return 1 ### "expected an indented block, found `return`"

def 1(): pass ### "expected a name, found `1`"
def f: pass ### "expected `\(`, found `:`"
def lambda(): pass ### "expected a name, found `lambda`"
def f(1): pass ### "expected a parameter, found `1`"
---
def f():
    if x ### "expected `:`, found the end of the line"
        pass
    return 1 + ### "expected an expression, found the end of the line"
    x = = 2 ### "expected an expression, found `=`"
    return y

z = 3 3 ### "expected an operator or the end of the line, found `3`"
---
def f():
    x = 1
      y = 2 ### "unexpected indentation"
---
def f():
    if x:
        pass
  z = 3 ### "indentation matches no enclosing block"
---
  x = 1 ### "unexpected indentation"
---
def f():
	return 1 ### "tabs are not allowed for indentation"
---
a < b < c ### "comparisons cannot be chained"
a == b == c ### "comparisons cannot be chained"
a in b not in c ### "comparisons cannot be chained"
---
x = y = 1 ### "assignments cannot be chained"
x += y += 1 ### "expected an operator or the end of the line, found `\+=`"
f(a.b = 1) ### "the name of an argument must be a plain name"
f(1 = 2) ### "the name of an argument must be a plain name"
x = [a = 1] ### "expected `,` or `\]` to close the list"
x = y if a = b else c ### "`=` is not an operator"
---
print "hello" ### "`print` is a function"
print x ### "`print` is a function"
foo bar ### "expected an operator or the end of the line, found `bar`"
---
x && y ### "no operator `&&`"
a || b ### "no operator `\|\|`"
a <> b ### "no operator `<>`"
x = 2 ** 3 ### "no operator `\*\*`"
f((x := 1)) ### "no operator `:=`"
x++ ### "expected an expression, found the end of the line"
---
f(a, b c) ### "expected `,` or `\)` to close the call of `f` opened at line 102, found `c`"
f(, a) ### "expected an expression, found `,`"
f(a,, b) ### "expected an expression, found `,`"
[,] ### "expected an expression, found `,`"
{"a": 1 "b": 2} ### "expected `,` or `}` to close the dict opened at line 106, found a string"
{"a" 1} ### "expected `:`, found `1`"
{"a": } ### "expected an expression, found `}`"
x[] ### "expected an expression, found `\]`"
x[1:2:3:4] ### "expected `\]` to close the index opened at line 110, found `:`"
---
[x for x in 1, 2] ### "expected `\]` to close the list opened at line 112, found `,`"
[x for x in y if a, b] ### "found `,`"
[x for y] ### "expected `in`, found `\]`"
[for x in y] ### "expected an expression, found `for`"
[x for x in a if b else c] ### "found `else`"
[x for x in lambda: y] ### "found `lambda`"
[x for x in y if lambda: a if b else c] ### "found `else`"
---
[*a] ### "cannot unpack"
{**a} ### "cannot unpack"
x = *a ### "expected an expression, found `\*`"
---
else: ### "`else` has no matching `if`"
  pass
---
def f():
    for x in y:
        pass
    else: ### "`else` has no matching `if`"
        pass
---
def f():
    if x:
        pass
    else if y: ### "expected `:` after `else`"
        pass
---
x = ... ### "is only allowed in types"
x[0]: int = 1 ### "found `:`"
type T ### "expected `=`, found"
def f(x -> int): ### "type annotations are not supported"
    pass
---
a. ### "expected a name, found the end of the line"
a.if ### "expected a name, found `if`"
x = a not b ### "expected `in`, found `b`"
x = lambda ### "expected `:` or a parameter, found the end of the line"
x = a == not b ### "expected an expression, found `not`"
pass pass ### "expected the end of the line, found `pass`"
---
load("a", "b") + 1 ### "expected the end of the line, found `\+`"
load "a", "b" ### "expected `\(`, found a string"
---
a, b, = 1, 2 ### "a tuple with a trailing comma needs parentheses"
c = 1, ### "a tuple with a trailing comma needs parentheses"
(d, e,) = (1, 2,)
---
x = [%{headers}] ### "`%{headers}` is a placeholder: this file is a template"
---
%{rules} ### "`%{rules}` is a placeholder"
---
x[1, 2,:] ### "a tuple with a trailing comma needs parentheses"
