/** The messages in French. Phrases avoid participles and adjectives that agree with the claim. Apostrophes are typographic: straight ones quote in ICU. */
import type { Messages } from '../messages.js';

export const FRENCH: Messages = {
  values: {
    true: '« oui »',
    false: '« non »',
    null: 'vide',
    noValues: 'une valeur d’une liste vide',
    text: '« {text} »',
    instant: '{date}, {time} UTC',
  },
  labels: {
    named: 'votre donnée « {name} »',
    flag: 'votre donnée « {name} »',
    member: '{parent} (champ {member})',
    shared: '{label} ({path})',
  },
  phrases: {
    is: '{claim} {form, select, must {doit être} other {est}} {value}',
    isNot: '{claim} {form, select, must {ne doit pas être} other {n’est pas}} {value}',
    recorded: '{claim} {form, select, must {doit figurer} other {figure}} comme {value}',
    notRecorded: '{claim} {form, select, must {ne doit pas figurer} other {ne figure pas}} comme {value}',
    more: '{claim} {form, select, must {doit dépasser} other {dépasse}} {value}',
    atLeast: '{claim} {form, select, must {doit atteindre} other {atteint}} au moins {value}',
    less: '{claim} {form, select, must {doit rester} other {reste}} en dessous de {value}',
    atMost: '{claim} {form, select, must {ne doit pas dépasser} other {ne dépasse pas}} {value}',
    after: '{claim} {form, select, must {doit tomber} other {tombe}} après le {value}',
    notBefore: '{claim} {form, select, must {doit tomber} other {tombe}} le {value} ou après',
    before: '{claim} {form, select, must {doit tomber} other {tombe}} avant le {value}',
    notAfter: '{claim} {form, select, must {doit tomber} other {tombe}} le {value} ou avant',
    includes: '{claim} {form, select, must {doit contenir} other {contient}} {value}',
    includesNot: '{claim} {form, select, must {ne doit pas contenir} other {ne contient pas}} {value}',
    startsWith: '{claim} {form, select, must {doit commencer} other {commence}} par {value}',
    startsWithNot: '{claim} {form, select, must {ne doit pas commencer} other {ne commence pas}} par {value}',
    matches:
      '{claim} {form, select, must {doit avoir la forme requise} other {correspond au modèle {value}}}',
    matchesNot:
      '{claim} {form, select, must {doit avoir une autre forme} other {ne correspond pas au modèle {value}}}',
    known:
      '{form, select, must {il doit exister une preuve vérifiée de {claim}} other {une preuve vérifiée de {claim} existe}}',
    unknown:
      '{form, select, must {il ne doit pas exister de preuve vérifiée de {claim}} other {aucune preuve vérifiée de {claim} n’existe}}',
  },
  question: {
    whether: 'Si {clause}.',
    whetherList: 'Si {clause} :',
    item: '{clause}',
    itemList: '{clause} :',
    and: '{first} et si {second}',
    or: '{first} ou si {second}',
    all: 'tous ces points sont vrais',
    any: 'au moins un de ces points est vrai',
    notAll: 'ces points ne sont pas tous vrais',
    none: 'aucun de ces points n’est vrai',
    orUnknown: '{clause} (ou si cela n’est pas connu)',
  },
  disclosure: {
    value: '{value}.',
    values: '{count, plural, one {Cette valeur} other {Ces # valeurs}} :',
    fields: 'uniquement {count, plural, one {le champ} other {les champs}} {fields} de {claim}',
    allFields: 'tous les champs de {claim}',
    element: 'uniquement le {position, selectordinal, one {#er} other {#e}} élément de {claim}',
    elementFromEnd:
      'uniquement le {position, plural, =1 {dernier élément} other {#e élément en partant de la fin}} de {claim}',
  },
  notLearned: {
    sentence: 'Pas {items}.',
    join: '{first}, ni {second}',
    more: '{items}, ni {count, plural, one {# autre donnée} other {# autres données}}',
    itself: 'la valeur exacte de {claim}',
  },
  failures: {
    sentence: '{text}.',
    notDefined: 'nous n’avons pas de preuve vérifiée de {claim}',
    orNotDefined: '{text} (nous n’en avons pas de preuve vérifiée)',
    and: '{first}, et {second}',
    or: '{first}, ou {second}',
    group: '({text})',
  },
  claims: {
    'identity.service_uuid': { label: 'votre identifiant' },
    'identity.service_score': { label: 'votre score de vérification' },
    'identity.is_human': {
      label: 'votre vérification en tant qu’être humain',
      values: { true: 'effectuée', false: 'non effectuée' },
    },
    'identity.palm_verified': {
      label: 'votre vérification par la paume',
      values: { true: 'effectuée', false: 'non effectuée' },
    },
    'identity.country_of_residence': { label: 'votre pays de résidence' },
    'identity.residency_region': { label: 'votre région de résidence' },
    'identity.nationality': {
      label: 'votre nationalité',
      phrases: {
        is: 'le pays de votre nationalité {form, select, must {doit être} other {est}} {value}',
        isNot:
          'le pays de votre nationalité {form, select, must {ne doit pas être} other {n’est pas}} {value}',
      },
    },
    'identity.email': { label: 'votre adresse e-mail' },
    'identity.phone': { label: 'votre numéro de téléphone' },
    'identity.social_accounts': { label: 'votre liste de comptes sociaux' },
    'identity.wallet_addresses': { label: 'votre liste d’adresses de portefeuille' },
    'identity.primary_wallet_address': { label: 'votre adresse principale de portefeuille' },
    'identity.date_of_birth': {
      label: 'votre date de naissance',
      phrases: {
        after: 'vous {form, select, must {devez être né(e)} other {êtes né(e)}} après le {value}',
        notBefore: 'vous {form, select, must {devez être né(e)} other {êtes né(e)}} le {value} ou après',
        before: 'vous {form, select, must {devez être né(e)} other {êtes né(e)}} avant le {value}',
        notAfter: 'vous {form, select, must {devez être né(e)} other {êtes né(e)}} le {value} ou avant',
      },
    },
    'identity.age': {
      label: 'votre âge',
      phrases: {
        more: 'vous {form, select, must {devez avoir} other {avez}} plus de {value} {number, plural, one {an} other {ans}}',
        atLeast:
          'vous {form, select, must {devez avoir} other {avez}} {value} {number, plural, one {an} other {ans}} ou plus',
        less: 'vous {form, select, must {devez avoir} other {avez}} moins de {value} {number, plural, one {an} other {ans}}',
        atMost:
          'vous {form, select, must {devez avoir} other {avez}} {value} {number, plural, one {an} other {ans}} ou moins',
      },
    },
    'identity.age_over_18': {
      label: 'votre statut de personne de 18 ans ou plus',
      values: { true: 'de 18 ans ou plus', false: 'de moins de 18 ans' },
      phrases: {
        is: 'votre âge {form, select, must {doit être} other {est}} {value}',
        isNot: 'votre âge {form, select, must {ne doit pas être} other {n’est pas}} {value}',
      },
    },
    'identity.age_over_21': {
      label: 'votre statut de personne de 21 ans ou plus',
      values: { true: 'de 21 ans ou plus', false: 'de moins de 21 ans' },
      phrases: {
        is: 'votre âge {form, select, must {doit être} other {est}} {value}',
        isNot: 'votre âge {form, select, must {ne doit pas être} other {n’est pas}} {value}',
      },
    },
    'identity.legal_name': { label: 'votre nom officiel' },
    'identity.address_postal_code': { label: 'votre code postal' },
    'identity.address_full': { label: 'votre adresse' },
    'kyc.passed': {
      label: 'votre contrôle d’identité',
      values: { true: 'réussi', false: 'non réussi' },
    },
    'kyc.level': {
      label: 'votre niveau de contrôle d’identité',
      values: { none: 'nul', basic: 'de base', enhanced: 'renforcé' },
    },
    'kyc.last_updated_at': { label: 'votre dernier contrôle d’identité' },
    'kyc.sanctions_clear': {
      label: 'votre contrôle des listes de sanctions',
      values: { true: 'sans résultat', false: 'avec résultat' },
    },
    'kyc.aml_screening_passed': {
      label: 'votre contrôle anti-blanchiment',
      values: { true: 'réussi', false: 'non réussi' },
    },
    'kyc.pep_status': {
      label: 'votre exposition politique',
      values: { true: 'présente', false: 'absente' },
    },
    'kyc.is_high_risk': {
      label: 'votre niveau de risque',
      values: { true: 'élevé', false: 'acceptable' },
    },
    'kyc.geo_blocked_region': {
      label: 'votre région',
      values: { true: 'hors de la zone desservie', false: 'desservie' },
    },
    'kyc.employment_status': {
      label: 'votre situation professionnelle',
      values: {
        employed: '« salarié »',
        self_employed: '« indépendant »',
        unemployed: '« sans emploi »',
        student: '« étudiant »',
        retired: '« retraité »',
      },
    },
    'kyc.document_type': { label: 'votre type de pièce d’identité' },
    'kyc.document_country': { label: 'votre pays de délivrance de la pièce d’identité' },
    'kyc.document_expiry_date': { label: 'la date d’expiration de votre pièce d’identité' },
    'kyc.tax_residency': { label: 'votre résidence fiscale' },
    'kyc.document_number': { label: 'votre numéro de pièce d’identité' },
    'kyc.tax_id': { label: 'votre numéro fiscal' },
    'financial.cex_balance': { label: 'votre solde sur les plateformes d’échange' },
    'financial.trading_frequency_score': { label: 'votre score de fréquence de négociation' },
    'financial.net_worth': { label: 'votre patrimoine net' },
    'financial.net_worth_above_10k': {
      label: 'la comparaison de votre patrimoine net avec 10 000 USD',
      values: { true: 'supérieur à 10 000 USD', false: 'de 10 000 USD au plus' },
      phrases: {
        is: 'votre patrimoine net {form, select, must {doit être} other {est}} {value}',
        isNot: 'votre patrimoine net {form, select, must {ne doit pas être} other {n’est pas}} {value}',
      },
    },
    'financial.net_worth_above_100k': {
      label: 'la comparaison de votre patrimoine net avec 100 000 USD',
      values: { true: 'supérieur à 100 000 USD', false: 'de 100 000 USD au plus' },
      phrases: {
        is: 'votre patrimoine net {form, select, must {doit être} other {est}} {value}',
        isNot: 'votre patrimoine net {form, select, must {ne doit pas être} other {n’est pas}} {value}',
      },
    },
    'financial.bank_balance': { label: 'votre solde bancaire' },
    'financial.credit_card_balance': { label: 'votre solde de cartes de crédit' },
    'financial.loan_balance': { label: 'votre solde de prêts' },
    'financial.investment_balance': { label: 'votre solde de placements' },
    'financial.retirement_balance': { label: 'votre épargne retraite' },
    'financial.tradfi_balance': { label: 'votre solde de comptes et de placements' },
    'financial.onchain_balance': { label: 'votre solde de portefeuilles' },
    'financial.total_liabilities': { label: 'votre total de dettes' },
    'financial.verified_income': { label: 'votre revenu vérifié' },
  },
};
