package main

import (
	"math"
	"strconv"
	"strings"
)

const (
	maxDepth          = 16
	maxChecks         = 256
	maxProjections    = 64
	maxMembers        = 32
	maxListEntries    = 1000
	maxOperandDepth   = 16
	maxString         = 4096
	maxPattern        = 512
	maxPatternProgram = 256
	maxPatternWork    = 3500
	maxMatchCost      = 2000000
	maxPathSegments   = 8
	maxPathLength     = 256

	maxListedProblems = 50
	maxProblems       = 1000
)

var limits = map[string]int{
	"limit_depth": maxDepth, "limit_checks": maxChecks, "limit_projections": maxProjections, "limit_members": maxMembers,
	"limit_list_entries": maxListEntries, "limit_operand_depth": maxOperandDepth, "limit_string": maxString,
	"limit_pattern": maxPattern, "limit_pattern_program": maxPatternProgram, "limit_pattern_work": maxPatternWork,
	"limit_match_cost": maxMatchCost, "limit_path_segments": maxPathSegments, "limit_path_length": maxPathLength,
}

type Problem struct {
	code    string
	pointer Str
}

// The members of the objects of a query, in the order of their examination.
var (
	queryMembers      = []string{"check", "policy", "projections"}
	checkMembers      = []string{"claim", "operator", "value"}
	policyMembers     = []string{"allOf", "anyOf", "not"}
	itemMembers       = []string{"check", "policy", "claim", "operator", "value", "allOf", "anyOf", "not"}
	projectionMembers = []string{"claim", "lens", "fields", "index"}
)

// operandKinds are the JSON types that an operator accepts; nil: every type.
var operandKinds = map[string][]Kind{
	"==": nil, "!=": nil, ">": {Number, String}, ">=": {Number, String}, "<": {Number, String}, "<=": {Number, String},
	"in": {Array}, "notIn": {Array}, "contains": nil, "startsWith": {String}, "matchRegex": {String}, "isDefined": nil,
}

// child is the pointer of a member. A name that is too long is left out.
func child(pointer, name Str) Str {
	if name.Len() > 256 {
		return pointer
	}
	var b []byte
	for i := 0; i < name.Len(); i++ {
		switch unit := name.Unit(i); unit {
		case '~':
			b = appendUnit(appendUnit(b, '~'), '0')
		case '/':
			b = appendUnit(appendUnit(b, '~'), '1')
		default:
			b = appendUnit(b, unit)
		}
	}
	return pointer + U("/") + Str(b)
}

func element(pointer Str, i int) Str { return pointer + U("/"+strconv.Itoa(i)) }

// field is a known member of an object: its value and its pointer.
type field struct {
	value   *Value
	pointer Str
}

type fields map[string]field

func (f fields) has(names ...string) bool { return f.count(names...) > 0 }

func (f fields) count(names ...string) (n int) {
	for _, name := range names {
		if _, ok := f[name]; ok {
			n++
		}
	}
	return n
}

type enough struct{} // the last problem to be counted was found

type examiner struct {
	problems []Problem
	checks   int
	work     int
	patterns map[Str]*Pattern // valid and within limit_pattern and limit_pattern_program
	claims   map[Str]bool     // of the projections
}

// examine finds the problems of a query.
func examine(query *Value) (problems []Problem) {
	e := &examiner{patterns: map[Str]*Pattern{}, claims: map[Str]bool{}}
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(enough); !is {
				panic(r)
			}
			problems = e.problems
		}
	}()
	e.query(query)
	return e.problems
}

func (e *examiner) problem(code string, pointer Str) {
	e.problems = append(e.problems, Problem{code, pointer})
	if len(e.problems) == maxProblems {
		panic(enough{})
	}
}

// object examines the type and the size of an object, and its unknown members.
func (e *examiner) object(v *Value, pointer Str, known []string) (fields, bool) {
	if v.kind != Object {
		e.problem("not_an_object", pointer)
		return nil, false
	}
	if len(v.members) > maxMembers {
		e.problem("limit_members", pointer)
		return nil, false
	}
	found := fields{}
	for _, name := range known {
		if value := v.get(name); value != nil {
			found[name] = field{value, child(pointer, U(name))}
		}
	}
	isKnown := map[Str]bool{}
	for _, name := range known {
		isKnown[U(name)] = true
	}
	for _, m := range v.members {
		if isKnown[m.name] {
			continue
		}
		at := child(pointer, m.name)
		e.problem("member_unknown", at)
		if name := correction(m.name, known, found); name != "" {
			found[name] = field{m.value, at}
		}
	}
	return found, true
}

// correction returns the known member that an unknown one was probably meant to be, or "".
func correction(received Str, known []string, found fields) string {
	if received.Len() > 32 {
		return ""
	}
	var name []rune
	for i := 0; i < received.Len(); i++ {
		unit := received.Unit(i)
		if unit >= 'A' && unit <= 'Z' {
			unit += 'a' - 'A'
		}
		name = append(name, unit)
	}
	for len(name) > 0 && name[0] == ' ' {
		name = name[1:]
	}
	for len(name) > 0 && name[len(name)-1] == ' ' {
		name = name[:len(name)-1]
	}
	least := len(name) / 3
	if least < 1 {
		least = 1
	}
	best := ""
	for _, candidate := range known {
		if found.has(candidate) {
			continue
		}
		d := distance(name, []rune(strings.ToLower(candidate)))
		if d < least || d == least && best == "" {
			best, least = candidate, d
		}
	}
	return best
}

// distance is the optimal string alignment distance.
func distance(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			if i == 0 || j == 0 {
				d[i][j] = i + j
				continue
			}
			best := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				best++
			}
			if d[i-1][j]+1 < best {
				best = d[i-1][j] + 1
			}
			if d[i][j-1]+1 < best {
				best = d[i][j-1] + 1
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] && d[i-2][j-2]+1 < best {
				best = d[i-2][j-2] + 1
			}
			d[i][j] = best
		}
	}
	return d[len(a)][len(b)]
}

// form reports that none or several of mutually exclusive members are present.
func (e *examiner) form(count int, pointer Str) {
	if count == 0 {
		e.problem("form_missing", pointer)
	} else if count > 1 {
		e.problem("form_ambiguous", pointer)
	}
}

func (e *examiner) query(v *Value) {
	m, ok := e.object(v, "", queryMembers)
	if !ok {
		return
	}
	e.form(len(m), "")
	if f, ok := m["check"]; ok {
		e.check(f)
	}
	if f, ok := m["policy"]; ok {
		e.policy(f, 1)
	}
	if f, ok := m["projections"]; ok {
		e.projections(f)
	}
}

// placeCheck counts a check, and says whether it is within the limit.
func (e *examiner) placeCheck(pointer Str) bool {
	e.checks++
	if e.checks == maxChecks+1 {
		e.problem("limit_checks", pointer)
	}
	return e.checks <= maxChecks
}

func (e *examiner) placePolicy(pointer Str, depth int) bool {
	if depth > maxDepth {
		e.problem("limit_depth", pointer)
	}
	return depth <= maxDepth
}

func (e *examiner) check(f field) {
	if !e.placeCheck(f.pointer) {
		return
	}
	if m, ok := e.object(f.value, f.pointer, checkMembers); ok {
		e.checkMembers(m, f.pointer, true)
	}
}

func (e *examiner) checkMembers(m fields, pointer Str, required bool) {
	if f, ok := m["claim"]; ok {
		e.claim(f)
	} else if required {
		e.problem("member_missing", pointer)
	}
	operator := ""
	if f, ok := m["operator"]; !ok {
		if required {
			e.problem("member_missing", pointer)
		}
	} else if f.value.kind != String {
		e.problem("not_a_string", f.pointer)
	} else if _, known := operandKinds[f.value.s.Go()]; !known {
		e.problem("operator_unknown", f.pointer)
	} else {
		operator = f.value.s.Go()
	}
	if operator == "" {
		return
	}
	f, ok := m["value"]
	switch {
	case ok && operator == "isDefined":
		e.problem("operand_unexpected", f.pointer)
	case ok:
		e.operand(operator, f)
	case required && operator != "isDefined":
		e.problem("member_missing", pointer)
	}
}

// claim examines a claim path, and says whether it has no problem.
func (e *examiner) claim(f field) bool {
	code := ""
	if f.value.kind != String {
		code = "not_a_string"
	} else if f.value.s.Len() > maxPathLength {
		code = "limit_path_length"
	} else if segments, ok := splitPath(f.value.s); !ok {
		code = "claim_path_malformed"
	} else if len(segments) > maxPathSegments {
		code = "limit_path_segments"
	}
	if code != "" {
		e.problem(code, f.pointer)
	}
	return code == ""
}

// splitPath returns the segments of a claim path.
func splitPath(path Str) ([]string, bool) {
	segments := strings.Split(path.Go(), ".")
	for _, s := range segments {
		if s == "" || !isAlpha(rune(s[0])) {
			return nil, false
		}
		for _, c := range s {
			if !isAlpha(c) && !isDigit(c) && c != '_' {
				return nil, false
			}
		}
	}
	return segments, len(segments) >= 2
}

func (e *examiner) policy(f field, depth int) {
	if !e.placePolicy(f.pointer, depth) {
		return
	}
	if m, ok := e.object(f.value, f.pointer, policyMembers); ok {
		e.form(len(m), f.pointer)
		e.policyMembers(m, depth)
	}
}

// policyMembers examines the members of a policy at a depth.
func (e *examiner) policyMembers(m fields, depth int) {
	for _, name := range []string{"allOf", "anyOf"} {
		f, ok := m[name]
		if !ok {
			continue
		}
		if f.value.kind != Array {
			e.problem("not_an_array", f.pointer)
			continue
		}
		if len(f.value.array) == 0 {
			e.problem("list_empty", f.pointer)
		}
		e.items(f, depth)
	}
	if f, ok := m["not"]; ok {
		if f.value.kind != Array {
			e.item(f, depth)
			return
		}
		if len(f.value.array) != 1 {
			e.problem("not_arity", f.pointer)
		}
		e.items(f, depth)
	}
}

func (e *examiner) items(f field, depth int) {
	for i, v := range f.value.array {
		e.item(field{v, element(f.pointer, i)}, depth)
	}
}

// item examines an item of a policy at a depth.
func (e *examiner) item(f field, depth int) {
	m, ok := e.object(f.value, f.pointer, itemMembers)
	if !ok {
		return
	}
	bareCheck, barePolicy := m.has(checkMembers...), m.has(policyMembers...)
	shapes := m.count("check", "policy")
	if bareCheck {
		shapes++
	}
	if barePolicy {
		shapes++
	}
	e.form(shapes, f.pointer)
	if c, ok := m["check"]; ok {
		e.check(c)
	}
	if p, ok := m["policy"]; ok {
		e.policy(p, depth+1)
	}
	if bareCheck && (shapes > 1 || e.placeCheck(f.pointer)) {
		e.checkMembers(m, f.pointer, shapes == 1)
	}
	if barePolicy && e.placePolicy(f.pointer, depth+1) {
		if shapes == 1 {
			e.form(m.count(policyMembers...), f.pointer)
		}
		e.policyMembers(m, depth+1)
	}
}

func (e *examiner) projections(f field) {
	if f.value.kind != Array {
		e.problem("not_an_array", f.pointer)
		return
	}
	if len(f.value.array) > maxProjections {
		e.problem("limit_projections", f.pointer)
		return
	}
	if len(f.value.array) == 0 {
		e.problem("list_empty", f.pointer)
	}
	for i, v := range f.value.array {
		e.projection(v, element(f.pointer, i))
	}
}

func (e *examiner) projection(v *Value, pointer Str) {
	m, ok := e.object(v, pointer, projectionMembers)
	if !ok {
		return
	}
	if f, ok := m["claim"]; !ok {
		e.problem("member_missing", pointer)
	} else if e.claim(f) {
		if e.claims[f.value.s] {
			e.problem("projection_repeated", f.pointer)
		}
		e.claims[f.value.s] = true
	}
	lens := "" // any
	if f, ok := m["lens"]; !ok {
		e.problem("member_missing", pointer)
	} else if f.value.kind != String {
		e.problem("not_a_string", f.pointer)
	} else if name := f.value.s.Go(); name != "pluck" && name != "pick" && name != "at" {
		e.problem("lens_unknown", f.pointer)
	} else {
		lens = name
	}
	if f, ok := m["fields"]; ok {
		if lens == "" || lens == "pick" {
			e.fields(f)
		} else {
			e.problem("lens_parameter", f.pointer)
		}
	}
	if f, ok := m["index"]; ok {
		n := f.value.n
		if lens != "" && lens != "at" || f.value.kind != Number || n != math.Trunc(n) || math.Abs(n) > 1<<53-1 {
			e.problem("lens_parameter", f.pointer)
		}
	}
}

func (e *examiner) fields(f field) {
	if f.value.kind != Array {
		e.problem("lens_parameter", f.pointer)
		return
	}
	if len(f.value.array) > maxListEntries {
		e.problem("limit_list_entries", f.pointer)
		return
	}
	if len(f.value.array) == 0 {
		e.problem("lens_parameter", f.pointer)
	}
	seen := map[Str]bool{}
	for i, v := range f.value.array {
		at := element(f.pointer, i)
		switch {
		case v.kind != String:
			e.problem("lens_parameter", at)
		case v.s.Len() > maxString:
			e.problem("limit_string", at)
		case seen[v.s]:
			e.problem("lens_parameter", at)
		default:
			seen[v.s] = true
		}
	}
}

func (e *examiner) operand(operator string, f field) {
	v := f.value
	accepted := operandKinds[operator] == nil
	for _, kind := range operandKinds[operator] {
		accepted = accepted || v.kind == kind
	}
	if !accepted || math.IsInf(v.n, 0) {
		e.problem("operand_type", f.pointer)
		return
	}
	if operator == "matchRegex" {
		e.pattern(v.s, f.pointer)
		return
	}
	o := operandExaminer{e, f.pointer, 0}
	if !o.value(v, f.pointer, 0) || v.kind == String && v.s.Len() > maxString {
		return
	}
	if _, ok := parseInstant(v.s); v.kind == String && operandKinds[operator] != nil && operator != "startsWith" && !ok {
		e.problem("operand_type", f.pointer)
	}
}

func (e *examiner) pattern(text, pointer Str) {
	if text.Len() > maxPattern {
		e.problem("limit_pattern", pointer)
		return
	}
	if e.patterns[text] != nil {
		return
	}
	pattern := parsePattern(text)
	if pattern == nil {
		e.problem("pattern_invalid", pointer)
		return
	}
	if pattern.size > maxPatternProgram {
		e.problem("limit_pattern_program", pointer)
		return
	}
	e.patterns[text] = pattern
	before := e.work
	e.work += pattern.work
	if before <= maxPatternWork && e.work > maxPatternWork {
		e.problem("limit_pattern_work", pointer)
	}
}

// operandExaminer traverses an operand.
type operandExaminer struct {
	*examiner
	operand Str
	entries int
}

// value examines a value inside of depth arrays and objects, and says whether the traversal continues.
func (o *operandExaminer) value(v *Value, pointer Str, depth int) bool {
	switch v.kind {
	case String:
		if v.s.Len() > maxString {
			o.problem("limit_string", pointer)
		}
	case Number:
		if math.IsInf(v.n, 0) {
			o.problem("operand_type", pointer)
		}
	case Array, Object:
		if depth+1 > maxOperandDepth {
			o.problem("limit_operand_depth", o.operand)
			return false
		}
		o.entries += len(v.array) + len(v.members)
		if o.entries > maxListEntries {
			o.problem("limit_list_entries", o.operand)
			return false
		}
	}
	for i, x := range v.array {
		if !o.value(x, element(pointer, i), depth+1) {
			return false
		}
	}
	for _, m := range v.members {
		at := child(pointer, m.name)
		if m.name.Len() > maxString {
			o.problem("limit_string", at)
		} else if !o.value(m.value, at, depth+1) {
			return false
		}
	}
	return true
}
