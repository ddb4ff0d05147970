package main

import (
	"math"
	"sort"
	"strconv"
	"strings"
)

// ---- a query without problems, in a form that is convenient to evaluate

type check struct {
	claim    Str
	operator string
	operand  *Value // nil for isDefined
	pointer  Str
	pattern  *Pattern
}

// node of a policy: a check, or a combination ("allOf", "anyOf", "not") of items.
type item struct {
	check *check
	kind  string
	items []*item
}

type builder struct {
	checks   []*check // in document order
	patterns map[Str]*Pattern
}

func (b *builder) check(v *Value, pointer Str) *item {
	c := &check{claim: v.get("claim").s, operator: v.get("operator").s.Go(), operand: v.get("value"), pointer: pointer}
	if c.operator == "matchRegex" {
		c.pattern = b.patterns[c.operand.s]
		if c.pattern == nil {
			c.pattern = parsePattern(c.operand.s)
			b.patterns[c.operand.s] = c.pattern
		}
	}
	b.checks = append(b.checks, c)
	return &item{check: c}
}

// item builds an item of any of the four shapes.
func (b *builder) item(v *Value, pointer Str) *item {
	if c := v.get("check"); c != nil {
		return b.check(c, child(pointer, U("check")))
	}
	if p := v.get("policy"); p != nil {
		return b.item(p, child(pointer, U("policy")))
	}
	if v.get("claim") != nil {
		return b.check(v, pointer)
	}
	kind, list := v.members[0].name, v.members[0].value
	out := &item{kind: kind.Go()}
	pointer = child(pointer, kind)
	if list.kind == Object {
		out.items = []*item{b.item(list, pointer)}
	}
	for i, e := range list.array {
		out.items = append(out.items, b.item(e, element(pointer, i)))
	}
	return out
}

// ---- credentials

type credential struct {
	id, source   Str
	issuedAt     int64
	expiresAt    int64
	hasExpiresAt bool
	claims       *Value
}

// person has the active credentials, those that take precedence first.
type person []*credential

func readCredentials(list []*Value, at int64) person {
	var p person
	for _, v := range list {
		c := &credential{id: v.get("id").s, source: v.get("source").s, claims: v.get("claims")}
		c.issuedAt, _ = parseInstant(v.get("issuedAt").s)
		if x := v.get("expiresAt"); x != nil && x.kind == String {
			c.expiresAt, c.hasExpiresAt = parseInstant(x.s)
		}
		revokedAt, revoked := int64(0), false
		if x := v.get("revokedAt"); x != nil && x.kind == String {
			revokedAt, revoked = parseInstant(x.s)
		}
		if c.issuedAt <= at && (!c.hasExpiresAt || at < c.expiresAt) && (!revoked || at < revokedAt) {
			p = append(p, c)
		}
	}
	sort.Slice(p, func(i, j int) bool {
		if p[i].issuedAt != p[j].issuedAt {
			return p[i].issuedAt > p[j].issuedAt
		}
		return p[i].id < p[j].id
	})
	return p
}

func (p person) attested(path Str) (*Value, *credential) {
	for _, c := range p {
		if v := c.claims.Get(path); v != nil && nesting(v) <= 16 {
			return v, c
		}
	}
	return nil, nil
}

// claim returns the value of a claim and its credential; nil if it is undefined (L12, L13).
func (p person) claim(path Str) (*Value, *credential) {
	segments := strings.Split(path.Go(), ".")
	for n := len(segments); n >= 2; n-- {
		v, c := p.attested(U(strings.Join(segments[:n], ".")))
		if v == nil {
			continue
		}
		for _, name := range segments[n:] {
			if v = v.get(name); v == nil {
				return nil, nil
			}
		}
		return v, c
	}
	return nil, nil
}

// ---- scopes

type missingClaim struct {
	claim  Str
	scopes []Str
}

func strs(v *Value) (out []Str) {
	if v != nil {
		for _, e := range v.array {
			out = append(out, e.s)
		}
	}
	return out
}

func scopeGate(claims []Str, granted []Str, catalogue []*Value) []missingClaim {
	scopes := map[Str]*Value{}
	covering := map[Str][]Str{} // path or category: names of scopes
	for _, s := range catalogue {
		name := s.get("name").s
		scopes[name] = s
		seen := map[Str]bool{}
		for _, path := range strs(s.get("covers")) {
			if !seen[path] {
				covering[path] = append(covering[path], name)
			}
			seen[path] = true
		}
	}
	held := map[Str]bool{}
	var hold func(name Str)
	hold = func(name Str) {
		if s := scopes[name]; s != nil && !held[name] {
			held[name] = true
			for _, implied := range strs(s.get("implies")) {
				hold(implied)
			}
		}
	}
	for _, name := range granted {
		hold(name)
	}
	var missing []missingClaim
	seen := map[Str]bool{}
	for _, claim := range claims {
		if seen[claim] {
			continue
		}
		seen[claim] = true
		segments := strings.Split(claim.Go(), ".")
		var names []Str
		for n := len(segments); n >= 1 && names == nil; n-- {
			names = covering[U(strings.Join(segments[:n], "."))]
		}
		covered := false
		for _, name := range names {
			covered = covered || held[name]
		}
		if !covered {
			missing = append(missing, missingClaim{claim, names})
		}
	}
	return missing
}

// ---- operators

func contains(list []*Value, v *Value) bool {
	for _, e := range list {
		if equal(e, v) {
			return true
		}
	}
	return false
}

func compare(operator string, claim, operand *Value) bool {
	var less, greater bool
	switch {
	case claim.kind != operand.kind:
		return false
	case operand.kind == Number:
		less, greater = claim.n < operand.n, claim.n > operand.n
	default:
		a, ok := parseInstant(claim.s)
		b, _ := parseInstant(operand.s)
		if !ok {
			return false
		}
		less, greater = a < b, a > b
	}
	switch operator {
	case "<":
		return less
	case "<=":
		return !greater
	case ">":
		return greater
	}
	return !less
}

// passes evaluates a check on a defined claim.
func (c *check) passes(claim *Value) bool {
	switch c.operator {
	case "==":
		return equal(claim, c.operand)
	case "!=":
		return !equal(claim, c.operand)
	case "in":
		return contains(c.operand.array, claim)
	case "notIn":
		return !contains(c.operand.array, claim)
	case "contains":
		return claim.kind == Array && contains(claim.array, c.operand)
	case "startsWith":
		return claim.kind == String && strings.HasPrefix(string(claim.s), string(c.operand.s))
	case "matchRegex":
		return claim.kind == String && c.pattern.Match(claim.s)
	case "isDefined":
		return true
	}
	return compare(c.operator, claim, c.operand)
}

func (i *item) passes(outcomes map[*check]bool) bool {
	switch i.kind {
	case "":
		return outcomes[i.check]
	case "not":
		return !i.items[0].passes(outcomes)
	}
	for _, x := range i.items {
		if x.passes(outcomes) != (i.kind == "allOf") {
			return i.kind == "anyOf"
		}
	}
	return i.kind == "allOf"
}

// ---- evaluation; outcomes are JSON text: "result":… or "error":…

const lifetime = 300 * 1000

func problemsError(problems []Problem) string {
	code := "query_too_large"
	for _, p := range problems {
		if !strings.HasPrefix(p.code, "limit_") {
			code = "invalid_query"
		}
	}
	var out strings.Builder
	out.WriteString(`"error":{"code":"` + code + `","total":` + strconv.Itoa(len(problems)) + `,"problems":[`)
	for i, p := range problems {
		if i == maxListedProblems {
			break
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(`{"code":"` + p.code + `","pointer":`)
		quote(&out, p.pointer)
		if limit, ok := limits[p.code]; ok {
			out.WriteString(`,"limit":` + strconv.Itoa(limit))
		}
		out.WriteString(`,"message":"` + strings.Replace(p.code, "_", " ", -1) + `"}`)
	}
	out.WriteString("]}")
	return out.String()
}

func missingError(missing []missingClaim) string {
	var out strings.Builder
	out.WriteString(`"error":{"code":"insufficient_scope","missing":[`)
	for i, m := range missing {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(`{"claim":`)
		quote(&out, m.claim)
		out.WriteString(`,"scopes":[`)
		for k, name := range m.scopes {
			if k > 0 {
				out.WriteByte(',')
			}
			quote(&out, name)
		}
		out.WriteString("]}")
	}
	out.WriteString("]}")
	return out.String()
}

// expiry is the instant at which a result expires (L22).
type expiry struct {
	at    int64
	found bool
}

func (x *expiry) add(c *credential) {
	if c.hasExpiresAt && (!x.found || c.expiresAt < x.at) {
		x.at, x.found = c.expiresAt, true
	}
}

func (x *expiry) text(at int64) string {
	if !x.found {
		return formatInstant(at + lifetime)
	}
	return formatInstant(x.at)
}

// list writes elements with commas between them.
type list struct {
	strings.Builder
	count int
}

func (l *list) next() {
	if l.count > 0 {
		l.WriteByte(',')
	}
	l.count++
}

func evaluate(query *Value, credentials []*Value, granted []Str, at int64, catalogue []*Value) string {
	if problems := examine(query); problems != nil {
		return problemsError(problems)
	}
	if projections := query.get("projections"); projections != nil {
		return project(projections.array, credentials, granted, at, catalogue)
	}
	b := &builder{patterns: map[Str]*Pattern{}}
	root := b.item(query, "")
	var claims []Str
	for _, c := range b.checks {
		claims = append(claims, c.claim)
	}
	if missing := scopeGate(claims, granted, catalogue); missing != nil {
		return missingError(missing)
	}
	p := readCredentials(credentials, at)
	cost := 0
	for _, c := range b.checks {
		if c.pattern == nil {
			continue
		}
		if v, _ := p.claim(c.claim); v != nil && v.kind == String {
			if cost += c.pattern.size * v.s.Len(); cost > maxMatchCost {
				return problemsError([]Problem{{"limit_match_cost", c.pointer}})
			}
		}
	}
	outcomes := map[*check]bool{}
	var expires expiry
	var used, results list
	seen := map[Str]bool{}
	for _, c := range b.checks {
		v, from := p.claim(c.claim)
		outcomes[c] = v != nil && c.passes(v)
		if v != nil && !seen[c.claim] {
			seen[c.claim] = true
			expires.add(from)
			used.next()
			used.WriteString(`{"path":`)
			quote(&used.Builder, c.claim)
			used.WriteString(`,"value":`)
			write(&used.Builder, v, true)
			used.WriteString(`,"credentialId":`)
			quote(&used.Builder, from.id)
			used.WriteString(`,"source":`)
			quote(&used.Builder, from.source)
			used.WriteByte('}')
		}
		results.next()
		results.WriteString(`{"claim":`)
		quote(&results.Builder, c.claim)
		results.WriteString(`,"operator":"` + c.operator + `","expectedValue":`)
		if c.operand == nil {
			results.WriteString("true")
		} else {
			write(&results.Builder, c.operand, true)
		}
		if v != nil {
			results.WriteString(`,"actualValue":`)
			write(&results.Builder, v, true)
		}
		results.WriteString(`,"passed":` + strconv.FormatBool(outcomes[c]) + "}")
	}
	return `"result":{"type":"predicate","passed":` + strconv.FormatBool(root.passes(outcomes)) +
		`,"evaluatedAt":"` + formatInstant(at) + `","evidence":{"claimsUsed":[` + used.String() +
		`],"checkResults":[` + results.String() + `]},"expiresAt":"` + expires.text(at) + `"}`
}

var null = &Value{kind: Null}

// extract applies the lens of a projection.
func extract(projection, v *Value) *Value {
	switch projection.get("lens").s.Go() {
	case "pick":
		if v.kind != Object {
			return null
		}
		fields := projection.get("fields")
		if fields == nil {
			return v
		}
		wanted := map[Str]bool{}
		for _, f := range strs(fields) {
			wanted[f] = true
		}
		out := &Value{kind: Object}
		for _, m := range v.members {
			if wanted[m.name] {
				out.members = append(out.members, m)
			}
		}
		return out
	case "at":
		index := 0.0
		if x := projection.get("index"); x != nil {
			index = x.n
		}
		if index < 0 {
			index += float64(len(v.array))
		}
		if index < 0 || index >= float64(len(v.array)) { // a value that is not an array has no elements
			return null
		}
		return v.array[int(math.Trunc(index))]
	}
	return v
}

func project(projections []*Value, credentials []*Value, granted []Str, at int64, catalogue []*Value) string {
	var claims []Str
	for _, x := range projections {
		claims = append(claims, x.get("claim").s)
	}
	if missing := scopeGate(claims, granted, catalogue); missing != nil {
		return missingError(missing)
	}
	p := readCredentials(credentials, at)
	var expires expiry
	var data, used list
	for i, claim := range claims {
		v, from := p.claim(claim)
		value := null
		if v != nil {
			value = extract(projections[i], v)
			expires.add(from)
			used.next()
			used.WriteString(`{"path":`)
			quote(&used.Builder, claim)
			used.WriteString(`,"value":`)
			write(&used.Builder, value, true)
			used.WriteByte('}')
		}
		data.next()
		quote(&data.Builder, claim)
		data.WriteByte(':')
		write(&data.Builder, value, true)
	}
	return `"result":{"type":"projection","data":{` + data.String() + `},"evaluatedAt":"` + formatInstant(at) +
		`","claimsUsed":[` + used.String() + `],"expiresAt":"` + expires.text(at) + `"}`
}

// ---- canonical text

func object(name string, v *Value) *Value {
	return &Value{kind: Object, members: []Member{{U(name), v}}}
}

// normalizeItem returns {"check": …} or {"policy": …}.
func normalizeItem(v *Value) *Value {
	if v.get("check") != nil {
		return v
	}
	if p := v.get("policy"); p != nil {
		return normalizeItem(p)
	}
	if v.get("claim") != nil {
		return object("check", v)
	}
	kind, list := v.members[0].name.Go(), v.members[0].value
	if kind == "not" {
		if list.kind == Array {
			list = list.array[0]
		}
		return object("policy", object(kind, normalizeItem(list)))
	}
	items := &Value{kind: Array}
	for _, e := range list.array {
		items.array = append(items.array, normalizeItem(e))
	}
	return object("policy", object(kind, items))
}

// canonicalize requires a query without problems. Its serialization writes -0 as 0.
func canonicalize(query *Value) string {
	normalized := query
	if projections := query.get("projections"); projections == nil {
		normalized = normalizeItem(query)
	} else {
		out := &Value{kind: Array}
		for _, p := range projections.array {
			if p.get("lens").s == U("at") && p.get("index") == nil {
				p = &Value{kind: Object, members: []Member{ // in name order
					{U("claim"), p.get("claim")}, {U("index"), &Value{kind: Number}}, {U("lens"), p.get("lens")}}}
			}
			out.array = append(out.array, p)
		}
		normalized = object("projections", out)
	}
	var text strings.Builder
	write(&text, normalized, false)
	return text.String()
}
