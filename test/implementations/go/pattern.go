package main

import (
	"sort"
	"strings"
	"unicode"
)

// charset is a sorted list of disjoint ranges of code points.
type charset [][2]rune

func (c charset) has(r rune) bool {
	i := sort.Search(len(c), func(i int) bool { return c[i][1] >= r })
	return i < len(c) && c[i][0] <= r
}

func normalize(c charset) charset {
	sort.Slice(c, func(i, j int) bool { return c[i][0] < c[j][0] })
	var out charset
	for _, r := range c {
		if k := len(out) - 1; k >= 0 && r[0] <= out[k][1]+1 {
			if r[1] > out[k][1] {
				out[k][1] = r[1]
			}
		} else {
			out = append(out, r)
		}
	}
	return out
}

func (c charset) complement() charset {
	var out charset
	next := rune(0)
	for _, r := range c {
		if r[0] > next {
			out = append(out, [2]rune{next, r[0] - 1})
		}
		next = r[1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, [2]rune{next, unicode.MaxRune})
	}
	return out
}

var orbits [][]rune // the classes of two or more code points with the same simple case folding

// fold adds all code points with the same simple case folding.
func (c charset) fold() charset {
	if orbits == nil {
		for r := rune(0); r <= 0x1ffff; r++ {
			if unicode.SimpleFold(r) <= r {
				continue // alone, or not the least of its class (the orbit is ascending)
			}
			orbit := []rune{r}
			least := true
			for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
				orbit = append(orbit, next)
				least = least && next > r
			}
			if least {
				orbits = append(orbits, orbit)
			}
		}
	}
	out := append(charset(nil), c...)
	for _, orbit := range orbits {
		for _, r := range orbit {
			if c.has(r) {
				for _, other := range orbit {
					out = append(out, [2]rune{other, other})
				}
				break
			}
		}
	}
	return normalize(out)
}

func fromTable(t *unicode.RangeTable) charset {
	var out charset
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			out = append(out, [2]rune{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			out = append(out, [2]rune{r, r})
		}
	}
	for _, r := range t.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range t.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return normalize(out)
}

// ranges("azAZ") is a-z and A-Z.
func ranges(pairs string) charset {
	var out charset
	p := []rune(pairs)
	for i := 0; i < len(p); i += 2 {
		out = append(out, [2]rune{p[i], p[i+1]})
	}
	return normalize(out)
}

var wordChars = ranges("09azAZ__")

var perlClasses = map[rune]charset{'d': ranges("09"), 's': ranges("\t\n\f\r  "), 'w': wordChars}

var posixClasses = map[string]charset{
	"alnum": ranges("09azAZ"), "alpha": ranges("azAZ"), "ascii": ranges("\x00\x7f"), "blank": ranges("\t\t  "),
	"cntrl": ranges("\x00\x1f\x7f\x7f"), "digit": ranges("09"), "graph": ranges("!~"), "lower": ranges("az"),
	"print": ranges(" ~"), "punct": ranges("!/:@[`{~"), "space": ranges("\t\r  "), "upper": ranges("AZ"),
	"word": wordChars, "xdigit": ranges("09afAF"),
}

var properties = propertyTables()

func propertyTables() map[string]*unicode.RangeTable {
	tables := map[string]*unicode.RangeTable{"Any": {
		R16: []unicode.Range16{{Lo: 0, Hi: 0xffff, Stride: 1}}, R32: []unicode.Range32{{Lo: 0x10000, Hi: unicode.MaxRune, Stride: 1}}}}
	for _, name := range strings.Fields(categoryNames) {
		tables[name] = unicode.Categories[name]
	}
	for _, name := range strings.Fields(scriptNames) {
		tables[name] = unicode.Scripts[name]
	}
	return tables
}

// ---- syntax tree

type nodeKind int

const (
	opSet    nodeKind = iota
	opAssert          // an assertion: one of ^ $ (with the flag m), A z b B
	opCat
	opAlt
	opRepeat
)

type node struct {
	kind     nodeKind
	set      charset
	assert   rune
	subs     []*node
	min, max int // max -1: unbounded
	size     int // saturates at sizeCap
	product  int // the greatest product of nested counts, saturates
}

const sizeCap = 1 << 30

func saturate(n int) int {
	if n > sizeCap {
		return sizeCap
	}
	return n
}

// Pattern is a valid pattern.
type Pattern struct {
	root       *node
	size, work int
	prog       []inst
	start      int
}

type patternError struct{}

type flagSet struct{ i, m, s, U bool }

type patternParser struct {
	text       []rune
	i          int
	flags      flagSet
	names      map[string]bool
	properties int
	folded     int // code points of ranges with the flag i
}

// parsePattern returns nil if the text is not a pattern.
func parsePattern(text Str) (result *Pattern) {
	defer func() {
		if e := recover(); e != nil {
			if _, is := e.(patternError); !is {
				panic(e)
			}
			result = nil
		}
	}()
	p := &patternParser{text: text.Runes(), names: map[string]bool{}}
	for _, r := range p.text {
		if isSurrogate(r) {
			return nil
		}
	}
	root := p.pattern()
	if p.i < len(p.text) {
		return nil
	}
	size := saturate(root.size + 2)
	work := 16 + text.Len() + size + 256*p.properties + (p.folded+15)/16
	return &Pattern{root: root, size: size, work: work}
}

func (p *patternParser) fail() { panic(patternError{}) }

// at returns the k-th character from here, or -1 after the end.
func (p *patternParser) at(k int) rune {
	if p.i+k < len(p.text) {
		return p.text[p.i+k]
	}
	return -1
}

func (p *patternParser) looking(s string) bool {
	k := 0
	for _, r := range s {
		if p.at(k) != r {
			return false
		}
		k++
	}
	return true
}

func (p *patternParser) take(s string) bool {
	if p.looking(s) {
		p.i += len(s)
		return true
	}
	return false
}

func (p *patternParser) expect(s string) {
	if !p.take(s) {
		p.fail()
	}
}

// find returns the position of s (of two characters) at or after from, or -1.
func (p *patternParser) find(s string, from int) int {
	for k := from; k+1 < len(p.text); k++ {
		if p.text[k] == rune(s[0]) && p.text[k+1] == rune(s[1]) {
			return k
		}
	}
	return -1
}

func (p *patternParser) pattern() *node {
	alt := &node{kind: opAlt, product: 1, size: -1}
	for {
		seq := p.sequence()
		alt.subs = append(alt.subs, seq)
		alt.size = saturate(alt.size + 1 + seq.size)
		if seq.product > alt.product {
			alt.product = seq.product
		}
		if !p.take("|") {
			return alt
		}
	}
}

func (p *patternParser) sequence() *node {
	seq := &node{kind: opCat, product: 1}
	repeatable := false
	for p.i < len(p.text) && p.at(0) != '|' && p.at(0) != ')' {
		if min, max, ok := p.repetition(); ok {
			if !repeatable || min > 1000 || max > 1000 || max >= 0 && min > max {
				p.fail()
			}
			last := len(seq.subs) - 1
			seq.subs[last] = repeat(seq.subs[last], min, max)
			if seq.subs[last].product > 1000 {
				p.fail()
			}
			repeatable = false
			continue
		}
		if p.take(`\Q`) {
			end := p.find(`\E`, p.i)
			next := end + 2
			if end < 0 {
				end, next = len(p.text), len(p.text)
			}
			repeatable = end > p.i
			for ; p.i < end; p.i++ {
				seq.subs = append(seq.subs, p.char(p.text[p.i]))
			}
			p.i = next
			continue
		}
		atom := p.atom()
		repeatable = atom != nil // nil: flags
		if atom != nil {
			seq.subs = append(seq.subs, atom)
		}
	}
	for _, part := range seq.subs {
		seq.size = saturate(seq.size + part.size)
		if part.product > seq.product {
			seq.product = part.product
		}
	}
	if seq.size == 0 {
		seq.size = 1
	}
	return seq
}

func repeat(x *node, min, max int) *node {
	greater := func(a, b int) int {
		if a > b {
			return a
		}
		return b
	}
	r := &node{kind: opRepeat, subs: []*node{x}, min: min, max: max}
	count := 1
	if max < 0 {
		r.size = greater(min, 1)*x.size + 2
		count = greater(min, 1)
	} else {
		r.size = greater(max, 1)*x.size + max - min
		count = max
	}
	r.size = saturate(r.size)
	r.product = saturate(count * x.product)
	if max == 0 {
		r.product = 1 // the counts inside are not multiplied with those around it
	}
	return r
}

// repetition reads a repetition, if there is one. Its counts saturate.
func (p *patternParser) repetition() (min, max int, ok bool) {
	start := p.i
	switch {
	case p.take("*"):
		min, max = 0, -1
	case p.take("+"):
		min, max = 1, -1
	case p.take("?"):
		min, max = 0, 1
	case p.take("{"):
		if min, ok = p.count(); !ok {
			p.i = start
			return 0, 0, false
		}
		max = min
		if p.take(",") {
			if max, ok = p.count(); !ok {
				max = -1
			}
		}
		if !p.take("}") {
			p.i = start
			return 0, 0, false
		}
	default:
		return 0, 0, false
	}
	p.take("?")
	return min, max, true
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }
func isAlpha(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func (p *patternParser) count() (int, bool) {
	if p.take("0") {
		return 0, true
	}
	start, n := p.i, 0
	for isDigit(p.at(0)) {
		if n = n*10 + int(p.at(0)-'0'); n > 1001 {
			n = 1001
		}
		p.i++
	}
	return n, p.i > start
}

// char is a literal, escape or quoted code point.
func (p *patternParser) char(r rune) *node { return p.set(charset{{r, r}}, false) }

// set is a part that matches one code point; the case folding precedes the complement.
func (p *patternParser) set(c charset, complement bool) *node {
	return &node{kind: opSet, set: p.fold(c, complement), size: 1, product: 1}
}

func (p *patternParser) fold(c charset, complement bool) charset {
	if p.flags.i {
		c = c.fold()
	}
	if complement {
		c = c.complement()
	}
	return c
}

func assertion(r rune) *node { return &node{kind: opAssert, assert: r, size: 1, product: 1} }

// atom reads an atom other than a quotation, or flags; for flags it returns nil.
func (p *patternParser) atom() *node {
	c := p.at(0)
	switch c {
	case '(':
		return p.group()
	case '[':
		return p.class()
	case '.':
		p.i++
		if p.flags.s {
			return &node{kind: opSet, set: charset{{0, unicode.MaxRune}}, size: 1, product: 1}
		}
		return &node{kind: opSet, set: ranges("\n\n").complement(), size: 1, product: 1}
	case '^', '$':
		p.i++
		if !p.flags.m {
			c = map[rune]rune{'^': 'A', '$': 'z'}[c]
		}
		return assertion(c)
	case '\\':
		switch n := p.at(1); n {
		case 'A', 'z', 'b', 'B':
			p.i += 2
			return assertion(n)
		}
		if set, ok := p.shorthand(); ok {
			return &node{kind: opSet, set: set, size: 1, product: 1}
		}
		return p.char(p.escape())
	}
	p.i++ // every other character is a literal: ? * + are repetitions, and | ) end the sequence
	return p.char(c)
}

func (p *patternParser) group() *node {
	p.i++
	saved := p.flags
	extra := 2
	if p.take("?") {
		if p.take("P<") || p.take("<") {
			start := p.i
			for isAlpha(p.at(0)) || isDigit(p.at(0)) || p.at(0) == '_' {
				p.i++
			}
			name := string(p.text[start:p.i])
			if name == "" || p.names[name] {
				p.fail()
			}
			p.names[name] = true
			p.expect(">")
		} else {
			extra = 0
			p.flagSet()
			if p.take(")") {
				return nil
			}
			p.expect(":")
		}
	}
	body := p.pattern()
	p.expect(")")
	p.flags = saved
	return &node{kind: opCat, subs: []*node{body}, size: saturate(body.size + extra), product: body.product}
}

func (p *patternParser) flagSet() {
	value := true
	for {
		switch p.at(0) {
		case 'i':
			p.flags.i = value
		case 'm':
			p.flags.m = value
		case 's':
			p.flags.s = value
		case 'U':
			p.flags.U = value
		case '-':
			if !value || strings.IndexRune("imsU", p.at(1)) < 0 {
				p.fail()
			}
			value = false
		default:
			return
		}
		p.i++
	}
}

// shorthand reads a perl-class or a property, if there is one.
func (p *patternParser) shorthand() (charset, bool) {
	if p.at(0) != '\\' {
		return nil, false
	}
	c := p.at(1)
	switch c {
	case 'd', 's', 'w':
		p.i += 2
		return p.fold(perlClasses[c], false), true
	case 'D', 'S', 'W':
		p.i += 2
		return p.fold(perlClasses[c-'A'+'a'], true), true
	case 'p', 'P':
		p.i += 2
		complement := c == 'P'
		name := ""
		if p.take("{") {
			if p.take("^") {
				complement = !complement
			}
			start := p.i
			for p.i < len(p.text) && p.at(0) != '}' {
				p.i++
			}
			name = string(p.text[start:p.i])
			p.expect("}")
		} else {
			if strings.IndexRune("LMNPSZ", p.at(0)) < 0 {
				p.fail()
			}
			name = string(p.at(0))
			p.i++
		}
		table := properties[name]
		if table == nil {
			p.fail()
		}
		p.properties++
		return p.fold(fromTable(table), complement), true
	}
	return nil, false
}

func isOctal(r rune) bool { return r >= '0' && r <= '7' }

func hexValue(r rune) rune {
	switch {
	case isDigit(r):
		return r - '0'
	case r >= 'a' && r <= 'f':
		return r - 'a' + 10
	case r >= 'A' && r <= 'F':
		return r - 'A' + 10
	}
	return -1
}

// escape reads an escape; the parser is at its backslash.
func (p *patternParser) escape() rune {
	p.i++
	c := p.at(0)
	p.i++
	if k := strings.IndexRune("afnrtv", c); k >= 0 && c >= 0 {
		return rune("\a\f\n\r\t\v"[k])
	}
	switch {
	case isOctal(c):
		if c != '0' && !isOctal(p.at(0)) {
			p.fail()
		}
		value := c - '0'
		for k := 0; k < 2 && isOctal(p.at(0)); k++ {
			value = value*8 + p.at(0) - '0'
			p.i++
		}
		return value
	case c == 'x':
		value := rune(0)
		if p.take("{") {
			if p.looking("}") {
				p.fail()
			}
			for !p.take("}") {
				d := hexValue(p.at(0))
				value = value*16 + d
				if d < 0 || value > unicode.MaxRune {
					p.fail()
				}
				p.i++
			}
			return value
		}
		for k := 0; k < 2; k++ {
			d := hexValue(p.at(0))
			if d < 0 {
				p.fail()
			}
			value = value*16 + d
			p.i++
		}
		return value
	case c >= 0 && c < 0x80 && !isAlpha(c) && !isDigit(c):
		return c
	}
	p.fail()
	return 0
}

func (p *patternParser) class() *node {
	p.i++
	complement := p.take("^")
	var set charset
	for first := true; first || !p.looking("]"); first = false {
		if p.i >= len(p.text) {
			p.fail()
		}
		set = append(set, p.classItem()...)
	}
	p.i++
	set = normalize(set)
	if complement {
		set = set.complement()
	}
	return &node{kind: opSet, set: set, size: 1, product: 1}
}

func (p *patternParser) classItem() charset {
	if p.looking("[:") {
		if end := p.find(":]", p.i+1); end >= 0 {
			name := ""
			if end > p.i+1 {
				name = string(p.text[p.i+2 : end])
			}
			set, ok := posixClasses[strings.TrimPrefix(name, "^")]
			if !ok {
				p.fail()
			}
			p.i = end + 2
			return p.fold(set, strings.HasPrefix(name, "^"))
		}
	}
	if set, ok := p.shorthand(); ok {
		return set
	}
	lo := p.classChar()
	hi := lo
	if p.at(0) == '-' && p.at(1) != ']' {
		p.i++
		hi = p.classChar()
		if hi < lo {
			p.fail()
		}
		if p.flags.i {
			from, to := lo, hi
			if from < 0x41 {
				from = 0x41
			}
			if to > 0x1e943 {
				to = 0x1e943
			}
			if to >= from {
				p.folded += int(to - from + 1)
			}
		}
	}
	return p.fold(charset{{lo, hi}}, false)
}

func (p *patternParser) classChar() rune {
	if p.at(0) == '\\' {
		return p.escape()
	}
	c := p.at(0)
	if c < 0 {
		p.fail()
	}
	p.i++
	return c
}

// ---- matching: a simulation of a nondeterministic automaton, in time linear in the length of the text

type inst struct {
	kind   nodeKind // opSet, opAssert, opAlt (a choice of out and alt); opCat: the match
	set    charset
	assert rune
	out    int
	alt    int
}

func (p *Pattern) emit(i inst) int {
	p.prog = append(p.prog, i)
	return len(p.prog) - 1
}

// compile adds the instructions of a node that continue with next, and returns the first of them.
func (p *Pattern) compile(n *node, next int) int {
	switch n.kind {
	case opSet:
		return p.emit(inst{kind: opSet, set: n.set, out: next})
	case opAssert:
		return p.emit(inst{kind: opAssert, assert: n.assert, out: next})
	case opCat:
		for i := len(n.subs) - 1; i >= 0; i-- {
			next = p.compile(n.subs[i], next)
		}
		return next
	case opAlt:
		start := p.compile(n.subs[len(n.subs)-1], next)
		for i := len(n.subs) - 2; i >= 0; i-- {
			start = p.emit(inst{kind: opAlt, out: p.compile(n.subs[i], next), alt: start})
		}
		return start
	}
	x := n.subs[0]
	start := next
	if n.max < 0 {
		loop := p.emit(inst{kind: opAlt, alt: next})
		body := p.compile(x, loop)
		p.prog[loop].out = body
		start = loop
	} else {
		for k := n.min; k < n.max; k++ {
			start = p.emit(inst{kind: opAlt, out: p.compile(x, start), alt: next})
		}
	}
	for k := 0; k < n.min; k++ {
		start = p.compile(x, start)
	}
	return start
}

// Match says whether the pattern matches a substring of the text.
func (p *Pattern) Match(text Str) bool {
	if p.prog == nil {
		p.start = p.compile(p.root, p.emit(inst{kind: opCat}))
	}
	runes := text.Runes()
	visited := make([]int, len(p.prog)) // the position, + 1, at which an instruction was last added
	var current, next []int
	isWord := func(i int) bool { return i >= 0 && i < len(runes) && wordChars.has(runes[i]) }
	holds := func(assert rune, i int) bool {
		switch assert {
		case 'A':
			return i == 0
		case 'z':
			return i == len(runes)
		case '^':
			return i == 0 || runes[i-1] == '\n'
		case '$':
			return i == len(runes) || runes[i] == '\n'
		case 'b':
			return isWord(i-1) != isWord(i)
		}
		return isWord(i-1) == isWord(i)
	}
	matched := false
	var add func(list []int, pc, i int) []int
	add = func(list []int, pc, i int) []int {
		if visited[pc] == i+1 {
			return list
		}
		visited[pc] = i + 1
		switch in := &p.prog[pc]; in.kind {
		case opCat:
			matched = true
		case opAlt:
			list = add(add(list, in.out, i), in.alt, i)
		case opAssert:
			if holds(in.assert, i) {
				list = add(list, in.out, i)
			}
		default:
			list = append(list, pc)
		}
		return list
	}
	for i := 0; ; i++ {
		current = add(current, p.start, i)
		if matched || i == len(runes) {
			return matched
		}
		next = next[:0]
		for _, pc := range current {
			if p.prog[pc].set.has(runes[i]) {
				next = add(next, p.prog[pc].out, i+1)
			}
		}
		current, next = next, current
	}
}

const categoryNames = `Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs`

const scriptNames = `
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
`
