# Broken tokens.
x = 0777 ### "`0777` is not a number"
x = 1_000 ### "`1_000` is not a number"
x = 1j ### "`1j` is not a number"
x = 0xzz ### "`0xzz` is not a number"
x = 0b12 ### "`0b12` is not a number"
x = 1a ### "`1a` is not a number"
x = 1e400 ### "floating-point literal is too large"
x = 1..2 ### "`1..2` is not a number"
---
x = f"abc{x}" ### "no f-strings"
x = rf"abc{x}" ### "no f-strings"
x = u"abc" ### "no prefix `u`"
x = b"abc" ### "no bytes literals"
---
x = "abc ### `the string is not closed at the end of the line`
y = 'abc ### `the string is not closed at the end of the line`
z = r'abc\' ### `the string is not closed at the end of the line`
---
x = """abc ### `the string that begins here is never closed`
y = 1
---
@decorator ### "unexpected character `@`"
def f(): pass
x = $y ### "unexpected character `\$`"
x = a ? b : c ### "unexpected character `\?`"
x = “a” ### "unexpected character `“`"
x = \ 1 ### "unexpected character `\\`"
x = é ### "names consist of ASCII"
x = !y ### "unexpected `!`"
x = 2 **= 3 ### "there is no operator"
---
import os ### "`import` is a reserved word"
from a import b ### "`from` is a reserved word"
class A: pass ### "`class` is a reserved word"
try: ### "`try` is a reserved word"
    pass
except: ### "`except` is a reserved word"
    pass
x = a is None ### "`is` is a reserved word"
del x ### "`del` is a reserved word"
assert x ### "`assert` is a reserved word"
raise x ### "`raise` is a reserved word"
with x as y: pass ### "`with` is a reserved word"
x = "\777" ### "octal escape `\\777` is out of range"
x = "\ud800" ### "not a Unicode code point"
