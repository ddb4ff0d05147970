package main

import (
	"math"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Str is a sequence of UTF-16 code units, two bytes each, big-endian. Comparing two Str compares their code units,
// lone surrogates need no special treatment, and Str can be a map key.
type Str string

// U converts a Go string (valid UTF-8).
func U(s string) Str {
	var b []byte
	for _, r := range s {
		b = appendRune(b, r)
	}
	return Str(b)
}

func appendUnit(b []byte, u rune) []byte { return append(b, byte(u>>8), byte(u)) }

func appendRune(b []byte, r rune) []byte {
	if r >= 0x10000 {
		r -= 0x10000
		return appendUnit(appendUnit(b, 0xd800+r>>10), 0xdc00+r&0x3ff)
	}
	return appendUnit(b, r)
}

// Len is the number of code units.
func (s Str) Len() int        { return len(s) / 2 }
func (s Str) Unit(i int) rune { return rune(s[2*i])<<8 | rune(s[2*i+1]) }

func isSurrogate(r rune) bool { return r >= 0xd800 && r <= 0xdfff }

// Runes decodes surrogate pairs; a lone surrogate is a code point of its own.
func (s Str) Runes() []rune {
	out := make([]rune, 0, s.Len())
	for i := 0; i < s.Len(); i++ {
		r := s.Unit(i)
		if r >= 0xd800 && r <= 0xdbff && i+1 < s.Len() {
			if low := s.Unit(i + 1); low >= 0xdc00 && low <= 0xdfff {
				r = 0x10000 + (r-0xd800)<<10 + (low - 0xdc00)
				i++
			}
		}
		out = append(out, r)
	}
	return out
}

// Go converts to a Go string; lone surrogates become U+FFFD.
func (s Str) Go() string { return string(s.Runes()) }

type Kind int

const (
	Null Kind = iota
	Boolean
	Number
	String
	Array
	Object
)

type Member struct {
	name  Str
	value *Value
}

// Value is a JSON value. The members of an object are in name order.
type Value struct {
	kind    Kind
	b       bool
	n       float64
	s       Str
	array   []*Value
	members []Member
}

// Get returns a member of an object, or nil.
func (v *Value) Get(name Str) *Value {
	i := sort.Search(len(v.members), func(i int) bool { return v.members[i].name >= name })
	if i < len(v.members) && v.members[i].name == name {
		return v.members[i].value
	}
	return nil
}

func (v *Value) get(name string) *Value { return v.Get(U(name)) }

func equal(a, b *Value) bool {
	if a.kind != b.kind || len(a.array) != len(b.array) || len(a.members) != len(b.members) {
		return false
	}
	for i := range a.array {
		if !equal(a.array[i], b.array[i]) {
			return false
		}
	}
	for i := range a.members {
		if a.members[i].name != b.members[i].name || !equal(a.members[i].value, b.members[i].value) {
			return false
		}
	}
	return a.b == b.b && a.n == b.n && a.s == b.s
}

// nesting is 0 for scalars, 1 for [] and {}.
func nesting(v *Value) int {
	if v.kind < Array {
		return 0
	}
	deepest := 0
	for _, e := range v.array {
		if d := nesting(e); d > deepest {
			deepest = d
		}
	}
	for _, m := range v.members {
		if d := nesting(m.value); d > deepest {
			deepest = d
		}
	}
	return deepest + 1
}

// ---- reading

type syntaxError struct{ at int }

type reader struct {
	text string
	i    int
}

func parseJSON(text string) (v *Value, ok bool) {
	defer func() {
		if e := recover(); e != nil {
			if _, is := e.(syntaxError); !is {
				panic(e)
			}
			v, ok = nil, false
		}
	}()
	r := &reader{text: text}
	v = r.value()
	r.space()
	if r.i != len(text) {
		r.fail()
	}
	return v, true
}

func (r *reader) fail() { panic(syntaxError{r.i}) }

func (r *reader) peek() byte {
	if r.i < len(r.text) {
		return r.text[r.i]
	}
	return 0
}

func (r *reader) space() {
	for r.i < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.i]) >= 0 {
		r.i++
	}
}

// take skips white space and takes the token if it is there.
func (r *reader) take(token string) bool {
	r.space()
	if strings.HasPrefix(r.text[r.i:], token) {
		r.i += len(token)
		return true
	}
	return false
}

func (r *reader) expect(token string) {
	if !r.take(token) {
		r.fail()
	}
}

func (r *reader) value() *Value {
	switch {
	case r.take("null"):
		return &Value{kind: Null}
	case r.take("true"):
		return &Value{kind: Boolean, b: true}
	case r.take("false"):
		return &Value{kind: Boolean}
	case r.take("["):
		v := &Value{kind: Array}
		if r.take("]") {
			return v
		}
		for {
			v.array = append(v.array, r.value())
			if r.take("]") {
				return v
			}
			r.expect(",")
		}
	case r.take("{"):
		return r.object()
	case r.take(`"`):
		return &Value{kind: String, s: r.str()}
	}
	return &Value{kind: Number, n: r.number()}
}

func (r *reader) object() *Value {
	v := &Value{kind: Object}
	if r.take("}") {
		return v
	}
	all := map[Str]*Value{} // the last of several members with the same name counts
	for {
		r.expect(`"`)
		name := r.str()
		r.expect(":")
		all[name] = r.value()
		if r.take("}") {
			break
		}
		r.expect(",")
	}
	for name, value := range all {
		v.members = append(v.members, Member{name, value})
	}
	sort.Slice(v.members, func(i, j int) bool { return v.members[i].name < v.members[j].name })
	return v
}

func (r *reader) digits() {
	start := r.i
	for r.peek() >= '0' && r.peek() <= '9' {
		r.i++
	}
	if r.i == start {
		r.fail()
	}
}

func (r *reader) number() float64 {
	start := r.i
	if r.peek() == '-' {
		r.i++
	}
	if r.peek() == '0' {
		r.i++
	} else {
		r.digits()
	}
	if r.peek() == '.' {
		r.i++
		r.digits()
	}
	if r.peek() == 'e' || r.peek() == 'E' {
		r.i++
		if r.peek() == '+' || r.peek() == '-' {
			r.i++
		}
		r.digits()
	}
	n, _ := strconv.ParseFloat(r.text[start:r.i], 64) // infinite where it is out of range
	return n
}

// str reads the rest of a string, after its opening quotation mark.
func (r *reader) str() Str {
	var b []byte
	for {
		c := r.peek()
		switch {
		case c == '"':
			r.i++
			return Str(b)
		case c < 0x20:
			r.fail()
		case c == '\\':
			r.i++
			e := r.peek()
			r.i++
			if e == 'u' {
				if r.i+4 > len(r.text) {
					r.fail()
				}
				unit, err := strconv.ParseUint(r.text[r.i:r.i+4], 16, 16)
				if err != nil {
					r.fail()
				}
				r.i += 4
				b = appendUnit(b, rune(unit))
				continue
			}
			k := strings.IndexByte(`"\/bfnrt`, e)
			if k < 0 {
				r.fail()
			}
			b = appendUnit(b, rune("\"\\/\b\f\n\r\t"[k]))
		default:
			c, size := utf8.DecodeRuneInString(r.text[r.i:])
			if c == utf8.RuneError && size == 1 {
				r.fail()
			}
			r.i += size
			b = appendRune(b, c)
		}
	}
}

// ---- writing

func quote(out *strings.Builder, s Str) {
	const hex = "0123456789abcdef"
	out.WriteByte('"')
	for _, r := range s.Runes() {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r < 0x20 && strings.IndexRune("\b\f\n\r\t", r) >= 0:
			out.WriteByte('\\')
			out.WriteByte("bfnrt"[strings.IndexRune("\b\f\n\r\t", r)])
		case r < 0x20 || isSurrogate(r):
			out.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				out.WriteByte(hex[r>>shift&15])
			}
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
}

// formatNumber writes a double as ECMAScript and RFC 8785 do.
func formatNumber(f float64) string {
	if f == 0 {
		return "0"
	}
	sign := ""
	if f < 0 {
		sign, f = "-", -f
	}
	if math.IsInf(f, 0) {
		return sign + "1e999" // only from claims that are not JSON values
	}
	text := strconv.FormatFloat(f, 'e', -1, 64) // d.ddde±xx
	k := strings.IndexByte(text, 'e')
	exp, _ := strconv.Atoi(text[k+1:])
	digits := strings.Replace(text[:k], ".", "", 1)
	n := exp + 1 // the position of the decimal point
	switch {
	case len(digits) <= n && n <= 21:
		return sign + digits + strings.Repeat("0", n-len(digits))
	case 0 < n && n <= 21:
		return sign + digits[:n] + "." + digits[n:]
	case -6 < n && n <= 0:
		return sign + "0." + strings.Repeat("0", -n) + digits
	}
	mantissa := digits[:1]
	if len(digits) > 1 {
		mantissa += "." + digits[1:]
	}
	if n > 0 {
		return sign + mantissa + "e+" + strconv.Itoa(n-1)
	}
	return sign + mantissa + "e-" + strconv.Itoa(1-n)
}

// arrayIndex says whether a name is the decimal form of an integer from 0 to 2^32 - 2.
func arrayIndex(name Str) (uint64, bool) {
	text := name.Go()
	if text == "" || len(text) > 10 || text[0] == '0' && text != "0" || text[0] == '+' {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 64)
	return n, err == nil && n <= 1<<32-2
}

// write serializes a value; integersFirst chooses the canonical order of results instead of the name order.
func write(out *strings.Builder, v *Value, integersFirst bool) {
	switch v.kind {
	case Null:
		out.WriteString("null")
	case Boolean:
		out.WriteString(strconv.FormatBool(v.b))
	case Number:
		out.WriteString(formatNumber(v.n))
	case String:
		quote(out, v.s)
	case Array:
		out.WriteByte('[')
		for i, e := range v.array {
			if i > 0 {
				out.WriteByte(',')
			}
			write(out, e, integersFirst)
		}
		out.WriteByte(']')
	case Object:
		members := v.members
		if integersFirst {
			members = append([]Member(nil), members...)
			sort.SliceStable(members, func(i, j int) bool {
				a, isA := arrayIndex(members[i].name)
				b, isB := arrayIndex(members[j].name)
				return isA && (!isB || a < b)
			})
		}
		out.WriteByte('{')
		for i, m := range members {
			if i > 0 {
				out.WriteByte(',')
			}
			quote(out, m.name)
			out.WriteByte(':')
			write(out, m.value, integersFirst)
		}
		out.WriteByte('}')
	}
}
