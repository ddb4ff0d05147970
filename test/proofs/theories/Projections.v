(** Projections and their lenses (L5, L23). *)
From Coq Require Import Bool List ZArith.
From Proviso Require Import Texts Json Policies Claims Scopes.
Import ListNotations.
Local Open Scope Z_scope.

Inductive lens : Type :=
| Pluck
| Pick (fields : option (list text))
| At (index : Z).

Record projection : Type := { projected : path; through : lens }.

(** Applies a lens; [null] where it does not apply to the value. *)
Definition apply_lens (l : lens) (v : json) : json :=
  match l, v with
  | Pluck, _ => v
  | Pick None, JObject _ => v
  | Pick (Some fields), JObject members => JObject (filter (fun '(name, _) => is_in name fields) members)
  | At index, JArray elements =>
      let size := Z.of_nat (length elements) in
      let position := if index <? 0 then size + index else index in
      if (0 <=? position) && (position <? size) then nth (Z.to_nat position) elements JNull else JNull
  | _, _ => JNull
  end.

(** Every requested claim, in the order of the query: [null] where it is undefined. *)
Definition data (find : path -> option found) (projections : list projection) : list (path * json) :=
  map (fun p => (projected p, match find (projected p) with
                              | Some f => apply_lens (through p) (value f)
                              | None => JNull
                              end)) projections.

(** The defined claims, with the extracted values. *)
Definition claims_projected (find : path -> option found) (projections : list projection) : list (path * json) :=
  flat_map (fun p => match find (projected p) with
                     | Some f => [(projected p, apply_lens (through p) (value f))]
                     | None => []
                     end) projections.

(** [data] has every requested claim, in the order of the query (L23). *)
Theorem data_has_every_requested_claim : forall find projections,
  map fst (data find projections) = map projected projections.
Proof.
  intros find projections. unfold data. rewrite map_map. reflexivity.
Qed.

(** [claimsUsed] of projections discloses extracted values only, which are also in [data] (L23). *)
Theorem projections_disclose_extracted_values_only : forall find projections,
  incl (claims_projected find projections) (data find projections).
Proof.
  intros find projections entry Hentry. unfold claims_projected in Hentry.
  apply in_flat_map in Hentry as [p [Hp Hentry]]. unfold data. apply in_map_iff. exists p.
  destruct (find (projected p)) as [f |]; [| contradiction].
  destruct Hentry as [<- | []]. split; [reflexivity | assumption].
Qed.

(** [pick] keeps the members that are named, and no others (L23). *)
Theorem pick_keeps_named_members : forall fields members name v,
  In (name, v) (match apply_lens (Pick (Some fields)) (JObject members) with
                | JObject kept => kept
                | _ => []
                end) <->
  In (name, v) members /\ In name fields.
Proof.
  intros fields members name v. simpl. rewrite filter_In, is_in_iff. reflexivity.
Qed.
