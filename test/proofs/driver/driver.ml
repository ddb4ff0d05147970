(* Runs the extracted semantics as an implementation of the conformance suite: one JSON text per line. It evaluates valid
   queries without patterns. Parsing with problem lists, limits and patterns are not part of the semantics. *)
open Semantics

type string = String.t

exception Unsupported of string

(* Reading requests. *)

let member name = function
  | JObject members -> List.assoc_opt (Json.text_of_ascii name) members
  | _ -> None

let required name value =
  match member name value with Some v -> v | None -> raise (Unsupported ("a value without " ^ name))

let elements = function JArray elements -> elements | _ -> raise (Unsupported "a value that is not an array")

let text = function JString text -> text | _ -> raise (Unsupported "a value that is not a string")

let members = function JObject members -> members | _ -> raise (Unsupported "a value that is not an object")

let integer = function
  | JNumber q when Float.is_integer (Json.float_of_rational q) -> Json.z_of_int (int_of_float (Json.float_of_rational q))
  | _ -> raise (Unsupported "a number that is not an integer")

let instant value =
  match parse_instant (text value) with Some at -> at | None -> raise (Unsupported "a malformed instant")

let dot = Json.unit_of_int (Char.code '.')

let path text =
  let add unit = function
    | name :: names when unit <> dot -> (unit :: name) :: names
    | names -> [] :: names in
  List.fold_right add text [ [] ]

let operators = [
  ("==", Equal); ("!=", NotEqual); (">", Above); (">=", AtLeast); ("<", Below); ("<=", AtMost); ("in", IsIn);
  ("notIn", IsNotIn); ("contains", Contains); ("startsWith", StartsWith); ("isDefined", IsDefined);
]

let check value =
  let name = Json.ascii_of_text (text (required "operator" value)) in
  let op =
    match List.assoc_opt name operators with Some op -> op | None -> raise (Unsupported ("the operator " ^ name)) in
  let operand = if op = IsDefined then JBool true else required "value" value in
  { claim = path (text (required "claim" value)); op; operand }

(* Items may lack their wrapper, and `not` may hold an array of one item (L4). *)
let rec item value =
  match (member "check" value, member "policy" value, member "claim" value) with
  | Some inner, None, None -> Check (check inner)
  | None, Some inner, None -> policy inner
  | None, None, Some _ -> Check (check value)
  | _ -> policy value

and policy value =
  match (member "allOf" value, member "anyOf" value, member "not" value) with
  | Some items, None, None -> AllOf (List.map item (elements items))
  | None, Some items, None -> AnyOf (List.map item (elements items))
  | None, None, Some (JArray [ inner ]) -> Not (item inner)
  | None, None, Some inner -> Not (item inner)
  | _ -> raise (Unsupported "an invalid query")

let projection value =
  let through =
    match Json.ascii_of_text (text (required "lens" value)) with
    | "pluck" -> Pluck
    | "pick" -> Pick (Option.map (fun fields -> List.map text (elements fields)) (member "fields" value))
    | "at" -> At (match member "index" value with Some index -> integer index | None -> Z0)
    | _ -> raise (Unsupported "an unknown lens") in
  { projected = path (text (required "claim" value)); through }

let query value =
  match member "projections" value with
  | Some projections -> Projections (List.map projection (elements projections))
  | None -> Predicate (item value)

let credential value = {
  id = text (required "id" value);
  source = text (required "source" value);
  issued_at = instant (required "issuedAt" value);
  expires_at = Option.map instant (member "expiresAt" value);
  revoked_at = Option.map instant (member "revokedAt" value);
  claims = List.map (fun (name, value) -> (path name, value)) (members (required "claims" value));
}

let scope value =
  let list name = Option.fold ~none:[] ~some:elements (member name value) in
  {
    name = text (required "name" value);
    implies = List.map text (list "implies");
    covers = List.map (fun covered -> path (text covered)) (list "covers");
  }

(* Writing responses. *)

let fields members = Json.write_object (List.map (fun (name, value) -> (Json.write_ascii name, value)) members)

let write_path path =
  Json.write_text (List.concat (List.mapi (fun index name -> if index = 0 then name else dot :: name) path))

(* RFC 3339 in UTC with milliseconds. The date is computed from the days since 0000-03-01. *)
let write_instant at =
  let floor_div a b = (a - (((a mod b) + b) mod b)) / b in
  let at = Json.int_of_z at in
  let days = floor_div at 86_400_000 in
  let ms = at - (days * 86_400_000) in
  let since_march = days + 719_468 in
  let era = floor_div since_march 146_097 in
  let day_of_era = since_march - (era * 146_097) in
  let year_of_era = (day_of_era - (day_of_era / 1_460) + (day_of_era / 36_524) - (day_of_era / 146_096)) / 365 in
  let day_of_year = day_of_era - ((365 * year_of_era) + (year_of_era / 4) - (year_of_era / 100)) in
  let from_march = ((5 * day_of_year) + 2) / 153 in
  let day = day_of_year - (((153 * from_march) + 2) / 5) + 1 in
  let month = if from_march < 10 then from_march + 3 else from_march - 9 in
  let year = year_of_era + (era * 400) + if month <= 2 then 1 else 0 in
  Json.write_ascii
    (Printf.sprintf "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ" year month day (ms / 3_600_000) (ms / 60_000 mod 60)
       (ms / 1_000 mod 60) (ms mod 1_000))

let write_check_result { checked = { claim; op; operand }; actual; passed } =
  let operator = fst (List.find (fun (_, known) -> known = op) operators) in
  fields
    ([ ("claim", write_path claim); ("operator", Json.write_ascii operator); ("expectedValue", Json.write operand) ]
    @ (match actual with Some value -> [ ("actualValue", Json.write value) ] | None -> [])
    @ [ ("passed", string_of_bool passed) ])

let write_claim_used { used_path; used_value; credential_id; credential_source } =
  fields [
    ("path", write_path used_path); ("value", Json.write used_value);
    ("credentialId", Json.write_text credential_id); ("source", Json.write_text credential_source);
  ]

let write_outcome now = function
  | Refused uncovered ->
      let entry (path, scopes) =
        fields [ ("claim", write_path path); ("scopes", Json.write_array (List.map Json.write_text scopes)) ] in
      let missing = Json.write_array (List.map entry uncovered) in
      ("error", fields [ ("code", Json.write_ascii "insufficient_scope"); ("missing", missing) ])
  | PredicateResult (passed, used, results, expires) ->
      let evidence =
        fields [
          ("claimsUsed", Json.write_array (List.map write_claim_used used));
          ("checkResults", Json.write_array (List.map write_check_result results));
        ] in
      ("result", fields [
        ("type", Json.write_ascii "predicate"); ("passed", string_of_bool passed); ("evaluatedAt", write_instant now);
        ("evidence", evidence); ("expiresAt", write_instant expires);
      ])
  | ProjectionResult (data, used, expires) ->
      let data = Json.write_object (List.map (fun (path, value) -> (write_path path, Json.write value)) data) in
      let entry (path, value) = fields [ ("path", write_path path); ("value", Json.write value) ] in
      ("result", fields [
        ("type", Json.write_ascii "projection"); ("data", data); ("evaluatedAt", write_instant now);
        ("claimsUsed", Json.write_array (List.map entry used)); ("expiresAt", write_instant expires);
      ])

let result_lifetime = Json.z_of_int 300_000

let no_patterns _ _ = raise (Unsupported "patterns")

let evaluate_request request =
  let list name read = List.map read (elements (required name request)) in
  let now = instant (required "at" request) in
  write_outcome now
    (evaluate no_patterns (list "catalogue" scope) (list "scopes" text) now result_lifetime
       (list "credentials" credential) (query (required "query" request)))

let respond request =
  match Json.ascii_of_text (text (required "method" request)) with
  | "hello" -> ("result", fields [ ("protocol", "1"); ("name", Json.write_ascii "proviso-coq") ])
  | "evaluate" -> (
      try evaluate_request request with Unsupported reason -> ("unsupported", Json.write_ascii reason))
  | name -> ("unsupported", Json.write_ascii name)

let () =
  try
    while true do
      let request = Json.parse (input_line stdin) in
      let id = ("id", Json.write (required "id" request)) in
      print_endline (fields [ id; respond request ])
    done
  with End_of_file -> ()
