(** The scope gate: which claim paths the granted scopes cover (L20). *)
From Coq Require Import Bool List PeanoNat Lia.
From Proviso Require Import Texts Policies Claims.
Import ListNotations.

(** A scope: the scopes that it implies, and the claim paths and categories that it lists. *)
Record scope : Type := { name : text; implies : list text; covers : list path }.

Definition catalogue := list scope.

Definition is_in (t : text) (l : list text) : bool := if in_dec text_dec t l then true else false.

Definition lists (p : path) (s : scope) : bool := if in_dec path_dec p (covers s) then true else false.

(** The scopes and those that they imply, down to [depth] levels, the scopes included. Unknown names are omitted. *)
Fixpoint with_implied (depth : nat) (cat : catalogue) (scopes : list text) : list text :=
  match depth with
  | O => []
  | S d => flat_map (fun s => if is_in (name s) scopes then name s :: with_implied d cat (implies s) else []) cat
  end.

(** The granted scopes, with all scopes that they imply. *)
Definition expand (cat : catalogue) (granted : list text) : list text := with_implied (length cat) cat granted.

(** The scopes that list a path, in the order of the catalogue. *)
Definition listing (cat : catalogue) (p : path) : list text := map name (filter (lists p) cat).

(** The scopes of the longest listed path that is the path or a prefix of it: any one of them covers the path. *)
Definition covering (cat : catalogue) (p : path) : list text :=
  match first_some (fun '(prefix, _) => match listing cat prefix with [] => None | scopes => Some scopes end)
                   (splits 1 p) with
  | Some scopes => scopes
  | None => []
  end.

Definition is_covered (cat : catalogue) (granted : list text) (p : path) : bool :=
  existsb (fun s => is_in s (expand cat granted)) (covering cat p).

(** The paths that the granted scopes do not cover, each with the scopes that would cover it. *)
Definition missing (cat : catalogue) (granted : list text) (paths : list path) : list (path * list text) :=
  map (fun p => (p, covering cat p)) (filter (fun p => negb (is_covered cat granted p)) paths).

Lemma is_in_iff : forall t l, is_in t l = true <-> In t l.
Proof.
  intros t l. unfold is_in. destruct (in_dec text_dec t l); split; intros; congruence || contradiction.
Qed.

Lemma in_with_implied : forall depth cat scopes t,
  In t (with_implied (S depth) cat scopes) <->
  exists s, In s cat /\ In (name s) scopes /\ (t = name s \/ In t (with_implied depth cat (implies s))).
Proof.
  intros depth cat scopes t. simpl. rewrite in_flat_map. split.
  - intros [s [Hs Ht]]. exists s. destruct (is_in (name s) scopes) eqn:Hname; [| contradiction].
    apply is_in_iff in Hname. destruct Ht as [<- | Ht]; auto.
  - intros [s [Hs [Hname Ht]]]. exists s. apply is_in_iff in Hname. rewrite Hname.
    split; [assumption |]. destruct Ht as [-> | Ht]; [left; reflexivity | right; assumption].
Qed.

Lemma with_implied_is_monotone : forall depth cat scopes more,
  incl scopes more -> incl (with_implied depth cat scopes) (with_implied depth cat more).
Proof.
  intros [| depth] cat scopes more Hincl t Ht; [contradiction |].
  apply in_with_implied in Ht as [s [Hs [Hname Ht]]].
  apply in_with_implied. exists s. auto.
Qed.

Lemma is_covered_monotone : forall cat granted more p,
  incl granted more -> is_covered cat granted p = true -> is_covered cat more p = true.
Proof.
  unfold is_covered. intros cat granted more p Hincl H.
  apply existsb_exists in H as [s [Hs Hin]]. apply existsb_exists. exists s. split; [assumption |].
  apply is_in_iff. apply is_in_iff in Hin. revert Hin. apply with_implied_is_monotone, Hincl.
Qed.

(** More scopes never make a claim uncovered: a refusal names no further claims (L20). *)
Theorem more_scopes_cover_more : forall cat granted more paths,
  incl granted more -> incl (missing cat more paths) (missing cat granted paths).
Proof.
  intros cat granted more paths Hincl entry Hin. unfold missing in *.
  apply in_map_iff in Hin as [p [<- Hp]]. apply in_map_iff. exists p. split; [reflexivity |].
  apply filter_In in Hp as [Hp Huncovered]. apply filter_In. split; [assumption |].
  apply negb_true_iff in Huncovered. apply negb_true_iff.
  destruct (is_covered cat granted p) eqn:Hcovered; [| reflexivity].
  rewrite (is_covered_monotone cat granted more p Hincl Hcovered) in Huncovered. discriminate.
Qed.

(** [t] is granted, or implied by a scope that is, directly or through others. *)
Inductive is_granted (cat : catalogue) (granted : list text) : text -> Prop :=
| directly : forall s, In s cat -> In (name s) granted -> is_granted cat granted (name s)
| by_implication : forall s t, In s cat -> In (name s) granted -> is_granted cat (implies s) t ->
    is_granted cat granted t.

(** A ranking of the scopes shows that none implies itself: each ranks above those that it implies. *)
Definition is_ranked (cat : catalogue) (rank : text -> nat) : Prop :=
  (forall s, In s cat -> rank (name s) < length cat) /\
  (forall s t, In s cat -> In t (implies s) -> rank t < rank (name s)).

Lemma with_implied_is_sound : forall depth cat granted t,
  In t (with_implied depth cat granted) -> is_granted cat granted t.
Proof.
  induction depth as [| depth IH]; intros cat granted t Ht; [contradiction |].
  apply in_with_implied in Ht as [s [Hs [Hname [-> | Ht]]]].
  - exact (directly cat granted s Hs Hname).
  - exact (by_implication cat granted s t Hs Hname (IH cat (implies s) t Ht)).
Qed.

Lemma with_implied_is_complete : forall cat rank granted t,
  is_ranked cat rank -> is_granted cat granted t ->
  forall depth, (forall g, In g granted -> rank g < depth) -> In t (with_implied depth cat granted).
Proof.
  intros cat rank granted t [Hbound Hrank] Hgranted.
  induction Hgranted as [granted s Hs Hname | granted s t Hs Hname Hinner IH]; intros depth Hdepth.
  - destruct depth; [specialize (Hdepth _ Hname); lia |].
    apply in_with_implied. exists s. auto.
  - destruct depth; [specialize (Hdepth _ Hname); lia |].
    apply in_with_implied. exists s. repeat split; auto. right. apply IH.
    intros g Hg. specialize (Hdepth _ Hname). specialize (Hrank s g Hs Hg). lia.
Qed.

Lemma known_granted : forall cat granted t,
  is_granted cat granted t -> is_granted cat (filter (fun g => is_in g (map name cat)) granted) t.
Proof.
  intros cat granted t Hgranted.
  assert (Hknown : forall s, In s cat -> In (name s) granted ->
                   In (name s) (filter (fun g => is_in g (map name cat)) granted)).
  { intros s Hs Hname. apply filter_In. split; [assumption |]. apply is_in_iff, in_map, Hs. }
  inversion Hgranted; subst; [apply directly | apply (by_implication _ _ s)]; auto.
Qed.

(** [expand] computes exactly the granted scopes and those that they imply, in a catalogue in which no scope implies
    itself (L20). *)
Theorem expand_is_the_closure : forall cat rank granted t,
  is_ranked cat rank -> (In t (expand cat granted) <-> is_granted cat granted t).
Proof.
  intros cat rank granted t Hranked. split; [apply with_implied_is_sound |].
  intros Hgranted. unfold expand.
  apply (with_implied_is_monotone _ cat (filter (fun g => is_in g (map name cat)) granted)).
  - intros g Hg. apply filter_In in Hg as [Hg _]. exact Hg.
  - apply (with_implied_is_complete cat rank); [assumption | apply known_granted; assumption |].
    intros g Hg. apply filter_In in Hg as [_ Hg]. apply is_in_iff, in_map_iff in Hg as [s [<- Hs]].
    destruct Hranked as [Hbound _]. exact (Hbound s Hs).
Qed.

Lemma first_some_split : forall {A B} (f : A -> option B) l y,
  first_some f l = Some y ->
  exists before x after, l = before ++ x :: after /\ f x = Some y /\ forall z, In z before -> f z = None.
Proof.
  intros A B f l y. induction l as [| x l IH]; simpl; [discriminate |].
  destruct (f x) as [z |] eqn:Hx; intros H.
  - injection H as <-. exists [], x, l. repeat split; auto. intros w [].
  - destruct (IH H) as [before [u [after [-> [Hu Hbefore]]]]].
    exists (x :: before), u, after. repeat split; auto. intros w [<- | Hw]; auto.
Qed.

(** The longest listed path takes precedence: the covering scopes of a path are those that list one of its prefixes,
    and no scope lists a longer prefix (L20). *)
Theorem longest_listed_path_takes_precedence : forall cat p,
  covering cat p <> [] ->
  exists longer prefix rest shorter,
    splits 1 p = longer ++ (prefix, rest) :: shorter /\
    covering cat p = listing cat prefix /\
    (forall q r, In (q, r) longer -> listing cat q = []).
Proof.
  intros cat p Hcovered. unfold covering in *.
  destruct (first_some _ (splits 1 p)) as [scopes |] eqn:Hfirst; [| congruence].
  apply first_some_split in Hfirst as [longer [[prefix rest] [shorter [Hsplits [Hprefix Hlonger]]]]].
  exists longer, prefix, rest, shorter. repeat split; [assumption | |].
  - destruct (listing cat prefix); [discriminate | congruence].
  - intros q r Hq. specialize (Hlonger (q, r) Hq). simpl in Hlonger.
    destruct (listing cat q); [reflexivity | discriminate].
Qed.
