(** RFC 3339 dates and date-times as milliseconds since 1970 (L17). *)
From Coq Require Import Bool List Lia NArith String ZArith.
From Proviso Require Import Texts.
Import ListNotations.
Local Open Scope Z_scope.

Definition bind {A B : Type} (outcome : option A) (continue : A -> option B) : option B :=
  match outcome with
  | Some a => continue a
  | None => None
  end.

Notation "'let*' x ':=' outcome 'in' rest" := (bind outcome (fun x => rest))
  (at level 200, x pattern, outcome at level 100, rest at level 200).

Definition require (condition : bool) : option unit := if condition then Some tt else None.

Definition within (low x high : Z) : bool := (low <=? x) && (x <=? high).

(** The value of a decimal digit. *)
Definition digit (c : N) : option Z :=
  if (48 <=? c)%N && (c <=? 57)%N then Some (Z.of_N (c - 48)) else None.

(** Reads exactly [count] digits. *)
Fixpoint read_digits (count : nat) (read : Z) (t : text) : option (Z * text) :=
  match count, t with
  | O, _ => Some (read, t)
  | S _, [] => None
  | S n, c :: rest => let* d := digit c in read_digits n (10 * read + d) rest
  end.

Definition number (count : nat) (t : text) : option (Z * text) := read_digits count 0 t.

(** Reads one of some characters. *)
Definition one_of (characters : string) (t : text) : option text :=
  match t with
  | c :: rest => if in_dec N.eq_dec c (literal characters) then Some rest else None
  | [] => None
  end.

(** Reads all following digits as a fraction of a second, truncated after the millisecond. *)
Fixpoint read_fraction (weight : Z) (t : text) : Z * text :=
  match t with
  | [] => (0, t)
  | c :: rest =>
      match digit c with
      | None => (0, t)
      | Some d => let '(more, rest') := read_fraction (weight / 10) rest in (d * weight + more, rest')
      end
  end.

(** Reads an optional fraction, which has at least one digit. *)
Definition fraction (t : text) : option (Z * text) :=
  match one_of "." t with
  | None => Some (0, t)
  | Some rest => let* _ := number 1 rest in Some (read_fraction 100 rest)
  end.

(** Reads [Z], or an offset from UTC in minutes. *)
Definition offset (t : text) : option (Z * text) :=
  match one_of "Zz" t with
  | Some rest => Some (0, rest)
  | None =>
      let sign := match one_of "-" t with Some _ => -1 | None => 1 end in
      let* t := one_of "+-" t in
      let* (hours, t) := number 2 t in
      let* t := one_of ":" t in
      let* (minutes, t) := number 2 t in
      let* _ := require (within 0 hours 23 && within 0 minutes 59) in
      Some (sign * (60 * hours + minutes), t)
  end.

Definition is_leap (year : Z) : bool :=
  ((year mod 4 =? 0) && negb (year mod 100 =? 0)) || (year mod 400 =? 0).

Definition month_lengths (year : Z) : list Z :=
  [31; if is_leap year then 29 else 28; 31; 30; 31; 30; 31; 31; 30; 31; 30; 31].

(** The days from 0000-01-01 to the first day of a year. *)
Definition days_before_year (year : Z) : Z :=
  365 * year + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400.

Definition days_before_month (year month : Z) : Z :=
  fold_left Z.add (firstn (Z.to_nat (month - 1)) (month_lengths year)) 0.

(** The days from 1970-01-01 to a day. *)
Definition day_number (year month day : Z) : Z :=
  days_before_year year - days_before_year 1970 + days_before_month year month + day - 1.

Definition is_day (year month day : Z) : bool :=
  within 1 month 12 && within 1 day (nth (Z.to_nat (month - 1)) (month_lengths year) 0).

(** Whether a day is the first of a month, of the given year or an adjacent one. *)
Definition starts_month (year day : Z) : bool :=
  existsb (fun y => existsb (fun month => day_number y month 1 =? day) (map Z.of_nat (seq 1 12)))
          [year - 1; year; year + 1].

Definition milliseconds_per_minute : Z := 60000.
Definition minutes_per_day : Z := 1440.

(** The instant of a second of a minute. A leap second ends the last minute of a month in UTC. *)
Definition instant_of (year minute second fraction : Z) : option Z :=
  if second <? 60 then Some (minute * milliseconds_per_minute + second * 1000 + fraction)
  else
    let next := minute + 1 in
    let* _ := require ((next mod minutes_per_day =? 0) && starts_month year (next / minutes_per_day)) in
    Some (next * milliseconds_per_minute).

(** Parses a date, which is its midnight in UTC, or a date-time with an offset; [None] for any other text. *)
Definition parse_instant (t : text) : option Z :=
  let* (year, t) := number 4 t in
  let* t := one_of "-" t in
  let* (month, t) := number 2 t in
  let* t := one_of "-" t in
  let* (day, t) := number 2 t in
  let* _ := require (is_day year month day) in
  let days := day_number year month day in
  match t with
  | [] => Some (days * minutes_per_day * milliseconds_per_minute)
  | _ =>
      let* t := one_of "Tt" t in
      let* (hour, t) := number 2 t in
      let* t := one_of ":" t in
      let* (minute, t) := number 2 t in
      let* t := one_of ":" t in
      let* (second, t) := number 2 t in
      let* _ := require (within 0 hour 23 && within 0 minute 59 && within 0 second 60) in
      let* (fraction, t) := fraction t in
      let* (offset, t) := offset t in
      match t with
      | [] => instant_of year (days * minutes_per_day + hour * 60 + minute - offset) second fraction
      | _ => None
      end
  end.

Local Arguments Z.mul : simpl never.

(** Day 0 is 1970-01-01, and the day after December 31 is January 1 of the next year. *)
Theorem years_are_consecutive : forall year,
  day_number 1970 1 1 = 0 /\ day_number year 12 31 + 1 = day_number (year + 1) 1 1.
Proof.
  intros year. split; [reflexivity |].
  unfold day_number, days_before_month, days_before_year, month_lengths, is_leap. simpl.
  destruct (Z.eqb_spec (year mod 4) 0), (Z.eqb_spec (year mod 100) 0), (Z.eqb_spec (year mod 400) 0);
    simpl; Z.div_mod_to_equations; lia.
Qed.

Example a_date_is_midnight : parse_instant (literal "2026-01-01") = Some 1767225600000.
Proof. reflexivity. Qed.

Example an_offset_is_subtracted :
  parse_instant (literal "2026-01-01T01:00:00+02:00") = parse_instant (literal "2025-12-31T23:00:00Z").
Proof. reflexivity. Qed.

Example fractions_are_truncated :
  parse_instant (literal "1970-01-01T00:00:00.1239z") = Some 123.
Proof. reflexivity. Qed.

Example a_leap_second_is_the_next_midnight :
  parse_instant (literal "2016-12-31T23:59:60Z") = parse_instant (literal "2017-01-01").
Proof. reflexivity. Qed.

Example days_that_do_not_exist_are_invalid : parse_instant (literal "2026-02-29") = None.
Proof. reflexivity. Qed.
