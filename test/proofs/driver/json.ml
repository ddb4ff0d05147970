(* Reads and writes JSON, with the strings and numbers of the extracted semantics. Every double is converted exactly. *)
open Semantics

type string = String.t

exception Malformed of string

(* Numbers. *)

let rec positive_of_int n =
  if n = 1 then XH else if n land 1 = 0 then XO (positive_of_int (n / 2)) else XI (positive_of_int (n / 2))

let rec int_of_positive = function XH -> 1 | XO p -> 2 * int_of_positive p | XI p -> (2 * int_of_positive p) + 1

let int_of_z = function Z0 -> 0 | Zpos p -> int_of_positive p | Zneg p -> -int_of_positive p

let z_of_int n = if n = 0 then Z0 else if n > 0 then Zpos (positive_of_int n) else Zneg (positive_of_int (-n))

let rec doubled times p = if times <= 0 then p else doubled (times - 1) (XO p)

let rec halvings = function XO p -> 1 + halvings p | XI _ | XH -> 0

let rec float_of_positive = function
  | XH -> 1.
  | XO p -> 2. *. float_of_positive p
  | XI p -> (2. *. float_of_positive p) +. 1.

(* A finite double is an integer of at most 53 bits times a power of two. *)
let rational_of_float number =
  let fraction, exponent = Float.frexp (Float.abs number) in
  let rec reduce mantissa exponent =
    if mantissa land 1 = 0 then reduce (mantissa / 2) (exponent + 1) else (mantissa, exponent) in
  if number = 0. then { qnum = Z0; qden = XH }
  else
    let mantissa, exponent = reduce (int_of_float (Float.ldexp fraction 53)) (exponent - 53) in
    let numerator = doubled exponent (positive_of_int mantissa) in
    { qnum = (if number > 0. then Zpos numerator else Zneg numerator); qden = doubled (-exponent) XH }

let float_of_rational { qnum; qden } =
  let scaled p = Float.ldexp (float_of_positive p) (-halvings qden) in
  match qnum with Z0 -> 0. | Zpos p -> scaled p | Zneg p -> -.scaled p

(* Strings: lists of UTF-16 code units. *)

let unit_of_int n = if n = 0 then N0 else Npos (positive_of_int n)

let int_of_unit = function N0 -> 0 | Npos p -> int_of_positive p

let units_of_code_point point =
  if point < 0x10000 then [ point ]
  else [ 0xd800 + ((point - 0x10000) lsr 10); 0xdc00 + ((point - 0x10000) land 0x3ff) ]

let text_of_ascii string = List.map (fun c -> unit_of_int (Char.code c)) (List.of_seq (String.to_seq string))

(* Other characters become question marks. *)
let ascii_of_text text =
  let character unit = let n = int_of_unit unit in if n < 128 then Char.chr n else '?' in
  String.of_seq (Seq.map character (List.to_seq text))

(* Reading. *)

let parse (line : string) : json =
  let position = ref 0 in
  let fail () = raise (Malformed (Printf.sprintf "malformed JSON at byte %d" !position)) in
  let peek () = if !position < String.length line then line.[!position] else '\000' in
  let next () = let c = peek () in incr position; c in
  let rec skip () = match peek () with ' ' | '\t' | '\n' | '\r' -> incr position; skip () | _ -> () in
  let expect c = if next () <> c then fail () in
  let word text value = String.iter expect text; value in
  let code_point () =
    let first = Char.code (next ()) in
    let rec continue count point =
      if count = 0 then point else continue (count - 1) ((point lsl 6) lor (Char.code (next ()) land 0x3f)) in
    if first < 0x80 then first
    else if first < 0xe0 then continue 1 (first land 0x1f)
    else if first < 0xf0 then continue 2 (first land 0x0f)
    else continue 3 (first land 0x07) in
  let escape () =
    match next () with
    | 'b' -> 8 | 't' -> 9 | 'n' -> 10 | 'f' -> 12 | 'r' -> 13
    | 'u' ->
        let digits = String.sub line !position 4 in
        position := !position + 4;
        int_of_string ("0x" ^ digits)
    | ('"' | '\\' | '/') as c -> Char.code c
    | _ -> fail () in
  let string () =
    expect '"';
    let rec go units =
      match peek () with
      | '"' -> incr position; List.rev_map unit_of_int units
      | '\\' -> incr position; go (escape () :: units)
      | '\000' -> fail ()
      | _ -> go (List.rev_append (units_of_code_point (code_point ())) units) in
    go [] in
  let number () =
    let start = !position in
    let rec go () = match peek () with '0' .. '9' | '+' | '-' | '.' | 'e' | 'E' -> incr position; go () | _ -> () in
    go ();
    match float_of_string_opt (String.sub line start (!position - start)) with
    | Some number when Float.is_finite number -> JNumber (rational_of_float number)
    | Some _ | None -> fail () in
  let rec value () =
    skip ();
    match peek () with
    | '{' -> incr position; JObject (entries '}' member)
    | '[' -> incr position; JArray (entries ']' value)
    | '"' -> JString (string ())
    | 't' -> word "true" (JBool true)
    | 'f' -> word "false" (JBool false)
    | 'n' -> word "null" JNull
    | _ -> number ()
  and member () =
    skip ();
    let name = string () in
    skip (); expect ':';
    (name, value ())
  and entries : 'a. char -> (unit -> 'a) -> 'a list = fun close entry ->
    skip ();
    if peek () = close then (incr position; [])
    else
      let rec go read =
        let read = entry () :: read in
        skip ();
        match next () with ',' -> go read | c when c = close -> List.rev read | _ -> fail () in
      go [] in
  let read = value () in
  skip ();
  if !position < String.length line then fail ();
  read

(* Writing. *)

let write_text text =
  let unit n =
    if n >= 0x20 && n < 0x7f && n <> 0x22 && n <> 0x5c then String.make 1 (Char.chr n) else Printf.sprintf "\\u%04x" n in
  "\"" ^ String.concat "" (List.map (fun u -> unit (int_of_unit u)) text) ^ "\""

let write_ascii string = write_text (text_of_ascii string)

let write_array entries = "[" ^ String.concat "," entries ^ "]"

let write_object members = "{" ^ String.concat "," (List.map (fun (name, value) -> name ^ ":" ^ value) members) ^ "}"

(* The integer from 0 to 2^32 - 2 whose decimal form is the name, if there is one. Such names come first in results. *)
let index_of_name name =
  match int_of_string_opt (ascii_of_text name) with
  | Some n when n >= 0 && n < 0xffffffff && string_of_int n = ascii_of_text name -> Some n
  | Some _ | None -> None

let compare_names a b =
  match (index_of_name a, index_of_name b) with
  | Some m, Some n -> compare m n
  | Some _, None -> -1
  | None, Some _ -> 1
  | None, None -> if precedes a b then -1 else if precedes b a then 1 else 0

let rec write = function
  | JNull -> "null"
  | JBool b -> string_of_bool b
  | JNumber q -> Printf.sprintf "%.17g" (float_of_rational q)
  | JString text -> write_text text
  | JArray elements -> write_array (List.map write elements)
  | JObject members ->
      let sorted = List.sort (fun (a, _) (b, _) -> compare_names a b) members in
      write_object (List.map (fun (name, value) -> (write_text name, write value)) sorted)
