"""Patterns: parser, size and work, and matching.

The parser accepts exactly the grammar of the specification. Patterns are matched by RE2, in linear time: the syntax tree is written in an
unambiguous subset of RE2's syntax, which means the same in every release of RE2, and given to the library through a small C++ shim. The
shim is compiled with g++ at first use, and kept in a temporary folder. Without g++ or RE2, `Unavailable` is raised when a claim has to be
matched; everything else works.
"""
import ctypes
import functools
import hashlib
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Callable

from jsontext import units

CATEGORIES = """Any Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs"""
SCRIPTS = """
Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid
Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Common Coptic Cuneiform Cypriot Cyrillic Deseret Devanagari Dives_Akuru Dogra
Duployan Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Han Hangul Hanifi_Rohingya
Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kayah_Li Kharoshthi
Khitan_Small_Script Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean
Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean
Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian
Old_South_Arabian Old_Turkic Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra
Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri
Tamil Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Ugaritic Vai Wancho Warang_Citi Yezidi Yi Zanabazar_Square
"""
PROPERTIES = frozenset((CATEGORIES + SCRIPTS).split())
POSIX = frozenset("alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit".split())

CONTROL = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
REPETITION = re.compile(r"(?:([*+?])|\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\})(\??)")
COUNT = re.compile(r"\{(?:0|[1-9][0-9]*)(?:,(?:0|[1-9][0-9]*)?)?\}")
FLAG_GROUP = re.compile(r"\(\?([imsU]*)(?:-([imsU]+))?([:)])")
CAPTURE = re.compile(r"\(\?P?<([A-Za-z0-9_]+)>")
OCTAL = re.compile(r"0[0-7]{0,2}|[1-7][0-7]{1,2}")
HEX = re.compile(r"x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\})")
PROPERTY = re.compile(r"\\[pP](?:([LMNPSZ])|\{\^?([A-Za-z_]+)\})")
POSIX_CLASS = re.compile(r"\[:\^?([a-z]+):\]")


class Invalid(Exception):
    pass


class Unavailable(Exception):
    """There is no RE2 to match with."""


@dataclass
class Node:
    size: int
    re2: str  # the node in RE2's syntax; it can be repeated as it is
    counts: Callable  # checks the products of nested counts, given the product of those around the node


@dataclass
class Pattern:
    size: int
    work: int
    re2: str


def _leaf(re2):
    return Node(1, re2, lambda product: None)


class Parser:
    def __init__(self, text):
        self.text = text
        self.at = 0
        self.names = set()
        self.properties = 0
        self.folded = 0

    def peek(self, text):
        return self.text.startswith(text, self.at)

    def token(self, expression):
        match = expression.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def parse(self):
        node = self.alternatives(frozenset())
        if self.at < len(self.text):
            raise Invalid("unmatched )")
        node.counts(1)
        return node

    def alternatives(self, flags):
        """`pattern`, up to `)` or the end. Flags stay in effect in later alternatives."""
        sequences = []
        while True:
            sequence, flags = self.sequence(flags)
            sequences.append(sequence)
            if not self.peek("|"):
                break
            self.at += 1
        size = sum(node.size for node in sequences) + len(sequences) - 1
        re2 = "(?:" + "|".join(node.re2 for node in sequences) + ")"

        def counts(product):
            for node in sequences:
                node.counts(product)

        return Node(size, re2, counts)

    def sequence(self, flags):
        parts = []
        repeatable = False  # whether the last part is an atom without a repetition
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            if self.text[self.at] in "*+?" or COUNT.match(self.text, self.at):
                if not repeatable:
                    raise Invalid("nothing to repeat")
                parts.append(self.repetition(parts.pop()))
                repeatable = False
                continue
            change = FLAG_GROUP.match(self.text, self.at)
            if change and change[3] == ")":
                self.at = change.end()
                flags = (flags | set(change[1])) - set(change[2] or "")
                repeatable = False
            elif self.peek("\\Q"):
                quoted, _, _ = self.text[self.at + 2 :].partition("\\E")
                self.at = min(self.at + len(quoted) + 4, len(self.text))
                parts += [self.literal(ord(char), flags) for char in quoted]
                repeatable = quoted != ""
            else:
                parts.append(self.atom(flags))
                repeatable = True

        def counts(product):
            for node in parts:
                node.counts(product)

        return Node(sum(node.size for node in parts) or 1, "".join(node.re2 for node in parts), counts), flags

    def repetition(self, node):
        match = self.token(REPETITION)
        if match[1]:
            least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[match[1]]
        else:
            least = int(match[2])
            most = least if match[3] is None else int(match[4]) if match[4] else None
        if least > 1000 or (most is not None and (most > 1000 or least > most)):
            raise Invalid("count")
        if most is None:
            size, factor, suffix = max(least, 1) * node.size + 2, max(least, 1), f"{{{least},}}"
        else:
            size, factor, suffix = max(most, 1) * node.size + most - least, most, f"{{{least},{most}}}"

        def counts(product):
            if factor == 0:
                return node.counts(1)
            if product * factor > 1000:
                raise Invalid("product of counts")
            node.counts(product * factor)

        # The short forms do not count for RE2's own limit of nested counts.
        suffix = {"{0,}": "*", "{1,}": "+", "{0,1}": "?", "{1,1}": ""}.get(suffix, suffix)
        return Node(size, f"(?:{node.re2}{suffix})" if factor else "(?:)", counts)

    def atom(self, flags):
        char = self.text[self.at]
        if char == "(":
            return self.group(flags)
        if char == "[":
            return self.char_class(flags)
        if char == "\\":
            following = self.text[self.at + 1 : self.at + 2]
            if following in ("A", "z", "b", "B"):
                self.at += 2
                return _leaf(f"(?:\\{following})")
            item = self.class_escape()
            return self.folding(item, flags) if item else self.literal(self.escape(), flags)
        self.at += 1
        if char == ".":
            return _leaf("(?s:.)" if "s" in flags else "(?-s:.)")
        if char == "^":
            return _leaf("(?m:^)" if "m" in flags else "(?:\\A)")
        if char == "$":
            return _leaf("(?m:$)" if "m" in flags else "(?:\\z)")
        return self.literal(ord(char), flags)

    def group(self, flags):
        if change := self.token(FLAG_GROUP):
            flags = (flags | set(change[1])) - set(change[2] or "")
            extra = 0
        else:
            extra = 2
            if capture := self.token(CAPTURE):
                if capture[1] in self.names:
                    raise Invalid("repeated name")
                self.names.add(capture[1])
            elif self.peek("(?"):
                raise Invalid("group")
            else:
                self.at += 1
        node = self.alternatives(flags)
        if not self.peek(")"):
            raise Invalid("missing )")
        self.at += 1
        return Node(node.size + extra, node.re2, node.counts)

    def folding(self, re2, flags):
        return _leaf(f"(?i:{re2})" if "i" in flags else re2)

    def literal(self, code_point, flags):
        return self.folding(f"\\x{{{code_point:X}}}", flags)

    def class_escape(self):
        """A perl-class or a property, or None."""
        if re.match(r"\\[dDsSwW]", self.text[self.at : self.at + 2]):
            self.at += 2
            return self.text[self.at - 2 : self.at]
        if not (self.peek("\\p") or self.peek("\\P")):
            return None
        match = self.token(PROPERTY)
        if not match or (match[2] and match[2] not in PROPERTIES):
            raise Invalid("property")
        self.properties += 1
        return match[0]

    def escape(self):
        """The code point of an `escape`."""
        self.at += 1
        if match := self.token(OCTAL):
            return int(match[0], 8)
        if match := self.token(HEX):
            code_point = int(match[1] or match[2], 16)
            if code_point > 0x10FFFF:
                raise Invalid("code point")
            return code_point
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if char in CONTROL:
            return CONTROL[char]
        if char == "" or char > "\x7f" or char.isalnum():
            raise Invalid("escape")
        return ord(char)

    def char_class(self, flags):
        self.at += 1
        negated = self.peek("^")
        self.at += negated
        items = []
        while not items or not self.peek("]"):
            items.append(self.class_item(flags))
        self.at += 1
        return self.folding(f"[{'^' if negated else ''}{''.join(items)}]", flags)

    def class_item(self, flags):
        if self.peek("[:") and self.text.find(":]", self.at + 1) >= 0:
            match = self.token(POSIX_CLASS)
            if not match or match[1] not in POSIX:
                raise Invalid("class")
            return match[0]
        if item := self.class_escape():
            return item
        low = high = self.class_char()
        if self.peek("-") and not self.peek("-]"):
            self.at += 1
            high = self.class_char()
            if high < low:
                raise Invalid("range")
            if "i" in flags:
                self.folded += max(0, min(high, 0x1E943) - max(low, 0x41) + 1)
            return f"\\x{{{low:X}}}-\\x{{{high:X}}}"
        return f"\\x{{{low:X}}}"

    def class_char(self):
        if self.at >= len(self.text):
            raise Invalid("missing ]")
        if self.peek("\\"):
            return self.escape()
        self.at += 1
        return ord(self.text[self.at - 1])


@functools.lru_cache(maxsize=1024)
def parse(text):
    """The parsed pattern, or None."""
    if re.search("[\ud800-\udfff]", text):
        return None
    parser = Parser(text)
    try:
        node = parser.parse()
    except Invalid:
        return None
    size = node.size + 2
    work = 16 + units(text) + size + 256 * parser.properties + -(-parser.folded // 16)
    return Pattern(size, work, node.re2)


SHIM = r"""
#include <re2/re2.h>
extern "C" void* proviso_compile(const char* pattern, size_t length) {
  RE2::Options options(RE2::Quiet);
  options.set_max_mem(512 << 20);
  RE2* re = new RE2(re2::StringPiece(pattern, length), options);
  if (re->ok()) return re;
  delete re;
  return nullptr;
}
extern "C" int proviso_match(void* re, const char* text, size_t length) {
  return static_cast<RE2*>(re)->Match(re2::StringPiece(text, length), 0, length, RE2::UNANCHORED, nullptr, 0);
}
extern "C" void proviso_free(void* re) { delete static_cast<RE2*>(re); }
"""


@functools.lru_cache(maxsize=1)
def _library():
    folder = os.path.join(tempfile.gettempdir(), f"proviso-re2-{os.getuid()}")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if os.stat(folder).st_uid != os.getuid():
            raise Unavailable(f"{folder} belongs to someone else")
        path = os.path.join(folder, hashlib.sha256(SHIM.encode()).hexdigest()[:16] + ".so")
        if not os.path.exists(path):
            build = f"{path}.{os.getpid()}"
            command = ["g++", "-O1", "-shared", "-fPIC", "-x", "c++", "-", "-o", build, "-l:libre2.so.9"]
            subprocess.run(command, input=SHIM.encode(), check=True, capture_output=True)
            os.rename(build, path)
        library = ctypes.CDLL(path)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unavailable(f"matching needs RE2 and g++: {error}") from error
    library.proviso_compile.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    library.proviso_compile.restype = ctypes.c_void_p
    library.proviso_match.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    library.proviso_free.argtypes = [ctypes.c_void_p]
    return library


class _Compiled:
    def __init__(self, text):
        self.library = _library()
        source = parse(text).re2.encode()
        self.handle = self.library.proviso_compile(source, len(source))
        if not self.handle:
            raise Unavailable(f"RE2 does not compile {text!r}")

    def __del__(self):
        if getattr(self, "handle", None):
            self.library.proviso_free(self.handle)


@functools.lru_cache(maxsize=32)
def _compiled(text):
    return _Compiled(text)


def matches(text, claim):
    """Whether a valid pattern matches anywhere in a claim. RE2 reads lone surrogates in their three-byte form."""
    compiled = _compiled(text)
    data = claim.encode("utf-8", "surrogatepass")
    return compiled.library.proviso_match(compiled.handle, data, len(data)) == 1
