/** The pages in French. */
import type { PageTexts } from '../page-texts.js';

export const FRENCH: PageTexts = {
  messages: {
    'page.skip': 'Aller au contenu',
    'page.promise': 'Rien n’est partagé sans votre accord.',
    'page.grants': 'Voir ce que vous partagez',
    'page.back': 'Revenir à {app}',
    'page.nothingShared': 'Rien n’a été partagé.',
    'page.outdated':
      'Cette page n’était plus à jour : quelqu’un s’est connecté ou déconnecté depuis son ouverture. Rien n’a été modifié. Vérifiez que le nom affiché sur cette page est le vôtre, puis réessayez.',
    'page.you': 'Vous êtes {person}',
    'page.labeled': '{label} : {value}',
    'page.signIn': 'Se connecter',
    'page.signOut': 'Se déconnecter',

    'app.of': 'de {organization}',
    'app.purpose': 'Motif, selon l’application',
    'app.privacy': 'Politique de confidentialité',
    'app.terms': 'Conditions d’utilisation',

    'sensitivity.low': 'Courant',
    'sensitivity.medium': 'Personnel',
    'sensitivity.high': 'Sensible',
    'sensitivity.critical': 'Très sensible',

    'scope.example': 'Exemple, pas vos données',
    'scope.yours': 'Vos données actuelles',
    'scope.included': 'Ces informations sont également comprises dans : {scopes}.',
    'scope.claims': '{count, plural, one {Afficher # élément} other {Afficher les # éléments}}',
    'condition.answer': 'L’application apprend oui ou non, chaque fois qu’elle le demande.',
    'condition.tag': 'Oui ou non',
    'evidence.none': '{app} voit des réponses, pas les valeurs : oui ou non à chaque question.',
    'evidence.checks':
      '{app} voit des réponses, pas les valeurs : oui ou non à chaque partie d’une question.',
    'evidence.some': '{app} voit des réponses, pas les valeurs, pour : {claims}.',
    'bound.years':
      '{claim} : les questions de l’application laissent toujours un intervalle d’au moins {count, plural, one {# an} other {# ans}}.',
    'bound.width':
      '{claim} : les questions de l’application laissent toujours un intervalle d’au moins {width}.',
    'bound.values':
      '{claim} : les questions de l’application laissent toujours au moins {count, plural, one {# possibilité} other {# possibilités}}.',

    'consent.title': 'Partager avec {app} ?',
    'consent.requester': 'Qui demande',
    'consent.return': 'Vous reviendrez ensuite à',
    'consent.duration': 'Durée',
    'consent.untilEnded': 'Jusqu’à ce que vous y mettiez fin',
    'consent.untilAsked':
      'Jusqu’à ce que vous y mettiez fin, et au plus {days, plural, one {# jour} other {# jours}} sans nouvelle demande',
    'consent.expiry': 'Temps pour décider',
    'consent.minutes': '{minutes, plural, one {# minute} other {# minutes}}',
    'consent.sees': 'Ce que {app} verrait',
    'consent.learns': 'Ce que {app} apprendrait',
    'consent.clear': 'Décochez ce que vous ne voulez pas partager.',
    'consent.hidden': 'Ce qui n’est pas partagé',
    'consent.hiddenCleared': 'Tout ce qu’aucun élément coché ne comprend',
    'consent.hiddenPalm': 'Votre paume, et votre identité dans d’autres applications',
    'consent.hiddenMore':
      '{count, plural, one {# autre élément sensible qui n’est pas demandé} other {# autres éléments sensibles qui ne sont pas demandés}}',
    'consent.stop': 'Vous pouvez y mettre fin à tout moment : {grants}.',
    'consent.decide': 'Décider',
    'consent.deny': 'Ne pas partager',
    'consent.share': 'Partager',
    'consent.count': '{selected} sur {total} sélectionnés',
    'consent.palm':
      'Certaines informations sont sensibles. Vérifiez votre paume, puis choisissez quoi partager.',
    'consent.palmSandbox': 'Le bac à sable n’a pas de lecteur : appuyez simplement sur le bouton.',
    'consent.verify': 'Vérifier ma paume',
    'consent.person': 'Vous êtes',
    'consent.other': 'Ce n’est pas vous ?',
    'consent.choose': 'Choisissez une personne',
    'consent.unknownHint': 'L’application a demandé une personne qui n’existe pas ici : {hint}',
    'consent.nothingTitle': 'Rien n’est sélectionné',
    'consent.nothing':
      'Rien n’est sélectionné. Sélectionnez ce que vous voulez partager, ou appuyez sur « Ne pas partager ».',
    'consent.outdatedTitle': 'Cette page n’était plus à jour',
    'consent.outdated':
      'Cette page n’était plus à jour : quelqu’un s’est connecté ou déconnecté depuis son ouverture. Rien n’a été partagé. Vérifiez que le nom ci-dessous est le vôtre, puis décidez à nouveau.',

    'grants.title': 'Ce que vous partagez',
    'grants.lead':
      'Les applications qui peuvent voir des informations sur vous. Vous pouvez arrêter le partage à tout moment.',
    'grants.tooLate':
      'Il est trop tard pour annuler. Pour partager à nouveau, recommencez dans l’application.',
    'grants.none':
      'Vous ne partagez rien avec personne. Les applications avec lesquelles vous partagez apparaissent ici.',
    'grants.noneElse':
      'Vous ne partagez rien avec personne d’autre. Les applications avec lesquelles vous partagez apparaissent ici.',
    'grants.signedIn': 'Connecté en tant que {person}',
    'grants.signOut': 'Se déconnecter',
    'grants.since': 'Depuis',
    'grants.used': 'Dernier accès',
    'grants.unused': 'Aucun',
    'grants.end': 'Arrêter le partage',
    'grants.endWith': 'Arrêter le partage avec {app}',
    'grants.withdrawn': '{app} n’a plus accès.',
    'grants.undo': 'Annuler',
    'grants.undoWith': 'Annuler : partager à nouveau avec {app}',
    'grants.undoLeft': 'encore {seconds, plural, one {# seconde} other {# secondes}}',
    'grants.ended': 'N’est plus partagé',
    'grants.period': 'du {from} au {to}',
    'learned.summary': 'Ce que l’application a appris',
    'learned.inferred': 'Elle peut en déduire :',
    'learned.values': 'Elle a vu :',
    'learned.answers': 'Elle a demandé :',
    'learned.yes': 'Oui',
    'learned.no': 'Non',
    'learned.when': '{day}{changes, plural, =0 {} one {, a changé une fois} other {, a changé # fois}}',
    'learned.more': '{count, plural, one {et # autre question} other {et # autres questions}}',
    'learned.moreAbout': 'Elle en a appris plus que nous ne pouvons énumérer sur :',
    'learned.note':
      'Ce que l’application peut déduire n’est peut-être plus exact si quelque chose a changé. Si vous supprimez cet enregistrement, l’application sait toujours ce qu’elle sait.',
    'learned.delete': 'Supprimer cet enregistrement',
    'learned.deleteOf': 'Supprimer cet enregistrement : {app}',
    'learned.off':
      'Ce service n’enregistre pas ce que les applications apprennent sur vous : cela ne peut être ni affiché ici, ni vérifié plus tard.',

    'expired.title': 'Cette demande a expiré',
    'expired.text':
      'Les demandes expirent au bout d’un moment, pour que personne d’autre ne puisse y répondre à votre place. {nothing}',
    'expired.next': 'Pour continuer, revenez à {app} et recommencez.',
    'denied.title': 'Vous avez choisi de ne pas partager',
    'denied.text':
      '{nothing} Si vous changez d’avis, recommencez dans {app}. La question vous sera posée à nouveau.',
    'answered.title': 'Vous avez déjà répondu à cette demande',
    'answered.text': 'Vous avez accepté de partager avec {app}. Il n’y a plus rien à faire ici.',
    'answered.next': 'Vous pouvez voir ce que vous partagez, et arrêter le partage, à tout moment.',
    'revoked.title': 'Le partage a pris fin',
    'revoked.text': 'Vous aviez accepté de partager avec {app}, et cela a pris fin. {app} n’a plus accès.',
    'revoked.next': 'Pour partager à nouveau, recommencez dans {app}. La question vous sera posée à nouveau.',
    'unknown.title': 'Demande introuvable',
    'unknown.text':
      'Le lien est incomplet, ou la demande a été commencée dans un autre navigateur ou une fenêtre privée. Pour votre sécurité, vous ne pouvez répondre à une demande que dans le navigateur où elle a commencé.',
    'unknown.next':
      '{nothing} Revenez à l’application et recommencez, dans ce navigateur et en autorisant les cookies.',

    'signIn.title': 'Qui êtes-vous ?',
    'signIn.lead': 'Ce sont des personnes fictives pour les essais. Choisissez-en une pour vous connecter.',
    'signIn.closed':
      'Vous ne pouvez pas vous connecter sur cette page. Revenez à l’application et recommencez.',
    'signIn.rejected': 'Personne inconnue. Veuillez choisir à nouveau.',
    'signIn.required':
      'Votre session est terminée : cette demande n’a donc rien modifié. Connectez-vous pour continuer.',
    'data.link': 'Télécharger ou effacer vos données',
    'data.title': 'Vos données',
    'data.you': 'Vous êtes {person}.',
    'data.download': 'Télécharger',
    'data.what':
      'Un fichier avec votre nom et vos adresses, vos attestations et leurs informations, ce que vous partagez et ce que les applications ont appris, et les entrées du journal qui vous concernent.',
    'data.downloadButton': 'Télécharger mes données',
    'data.erase': 'Effacer',
    'data.eraseText':
      'Tout cela est supprimé, et chaque application perd aussitôt l’accès. Les applications peuvent garder ce qu’elles ont déjà appris : demandez-leur de le supprimer. Les entrées du journal restent, mais ne mènent plus à vous.',
    'data.confirm': 'Je comprends que cela est irréversible.',
    'data.eraseButton': 'Effacer mes données',
    'data.again': 'Reconnectez-vous pour effacer vos données',
    'data.rejected': 'Rien n’a été effacé. Cochez la case pour confirmer.',
    'data.erased': 'Vos données sont effacées',
    'data.erasedText': 'Plus rien ici ne mène à vous. Si vous vous reconnectez, vous repartez de zéro.',
    'providers.account': 'Choisissez où vous avez un compte.',
    'providers.palm': 'Choisissez où votre paume est vérifiée.',

    'signOut.title': 'Se déconnecter ?',
    'signOut.heading': 'Se déconnecter de {service} ?',
    'signOut.asked': '{app} vous demande de vous déconnecter ici.',
    'signOut.text':
      'Vous êtes {person}. La déconnexion met fin à vos sessions dans tous les navigateurs. Elle ne change pas ce que vous partagez.',
    'signOut.return': 'Vous reviendrez ensuite à {address}.',
    'signOut.stay': 'Rester connecté',
    'signOut.confirm': 'Se déconnecter',
    'signedOut.title': 'Vous êtes déconnecté',
    'signedOut.text': 'Vous êtes déconnecté. Ce que vous partagez n’a pas changé.',
    'signedOut.remaining':
      'Vous êtes toujours connecté à {provider}. Sur un ordinateur partagé, déconnectez-vous là aussi.',

    'landing.title': 'Bienvenue',
    'landing.lead':
      'Ce service répond à une question sur une personne : ses attestations vérifiées remplissent-elles cette condition ? Les applications n’obtiennent de réponse qu’avec l’accord de la personne.',
    'landing.sandbox': 'Ceci est un bac à sable : ses personnes et leurs attestations sont fictives.',
    'landing.playground': 'Terrain d’essai',
    'landing.playgroundText':
      'Écrivez une condition et voyez le résultat pour des personnes fictives au fil de la saisie.',
    'landing.grantsText':
      'Voyez quelles applications ont accès à des informations sur vous, et arrêtez le partage.',
    'landing.discovery': 'Document de découverte',
    'landing.discoveryText':
      'Points d’accès et fonctions, pour les clients OAuth 2.0 et OpenID Connect (JSON).',
    'landing.api': 'Description de l’API',
    'landing.apiText': 'Tous les points d’accès, dans un document OpenAPI 3.1 (JSON).',

    'return.title': 'Retour',
    'return.text': 'Vous allez revenir à {address}.',
    'return.continue': 'Continuer',

    'problem.title': 'Cela n’a pas fonctionné',
    'problem.advice':
      'Revenez à l’application et recommencez. Si cela se reproduit, envoyez le message ci-dessous à l’assistance de l’application.',
    'problem.request': 'Demande {id}.',
    'problem.received': 'Reçue',
    'problem.registered': 'Enregistrée',
    'problem.appTitle': 'Application inconnue',
    'problem.app':
      'L’application qui vous a envoyé ici n’est pas enregistrée, ou ne l’est plus. Vous ne pouvez pas corriger cela vous-même : veuillez prévenir l’assistance de l’application.',
    'problem.linkTitle': 'Ce lien est incomplet',
    'problem.link':
      'Une partie du lien manque, est répétée ou a été modifiée. Revenez à l’application et recommencez.',
    'problem.addressTitle': 'L’adresse de retour n’est pas enregistrée',
    'problem.address':
      'L’application qui vous a envoyé ici veut vous renvoyer à une adresse qu’elle n’a pas enregistrée. Vous ne pouvez pas corriger cela vous-même : veuillez prévenir l’assistance de l’application.',
    'problem.usedTitle': 'Ce lien a expiré',
    'problem.used':
      'Le lien ne fonctionne qu’une fois et peu de temps. Revenez à l’application qui vous a envoyé ici et recommencez.',
    'problem.signOutAddress':
      'L’application qui vous a envoyé ici pour vous déconnecter veut vous renvoyer à une adresse qu’elle n’a pas enregistrée. Vous êtes toujours connecté : ouvrez « Voir ce que vous partagez » ci-dessous et déconnectez-vous là.',
    'problem.formTitle': 'Ce formulaire ne vient pas de notre page',
    'problem.form':
      'Pour votre sécurité, nous n’acceptons que les formulaires de nos propres pages. Revenez en arrière, rechargez la page et réessayez.',
    'problem.signInTitle': 'Connectez-vous à nouveau',
    'problem.signIn':
      'L’application qui vous a envoyé ici exige une connexion plus récente. Revenez à l’application et recommencez. Si cela se reproduit, envoyez le message ci-dessous à l’assistance de l’application.',
    'problem.canceledTitle': 'Vous n’êtes pas connecté',
    'problem.canceled':
      'La connexion a été annulée, a duré trop longtemps ou était déjà terminée. Revenez à l’application et recommencez.',
    'problem.providerTitle': 'Vous ne pouvez pas vous connecter pour le moment',
    'problem.provider':
      'Le service où vous vous connectez ne répond pas. Rechargez la page dans un instant. Rien n’est perdu.',
    'problem.palmTitle': 'Vérifiez d’abord votre paume',
    'problem.palm':
      'Certaines des informations demandées sont sensibles. Revenez en arrière, rechargez la page et vérifiez votre paume.',
    'problem.laterTitle': 'Un instant, s’il vous plaît',
    'problem.later':
      'Le service n’est pas disponible pour le moment. Rechargez la page dans un instant. Rien n’est perdu.',
    'problem.failureTitle': 'Un problème est survenu',
    'problem.failure':
      'L’erreur vient de nous et a été enregistrée. Réessayez plus tard. Si cela se reproduit, envoyez-nous le message ci-dessous.',
  },
  scopes: {
    openid: {
      displayName: 'Vous connecter',
      description:
        'Vous reconnaître, sous un nom réservé à cette organisation. C’est nécessaire pour se connecter.',
    },
    'profile.full': {
      displayName: 'Tout votre profil',
      description: 'Tout ce qui est courant ou personnel sur qui vous êtes, vos contrôles et vos finances.',
    },
    'data.read': {
      displayName: 'Vos attestations',
      description: 'Les attestations elles-mêmes, dans la limite de ce que vous partagez ici.',
    },
    'identity:read': {
      displayName: 'Qui vous êtes',
      description:
        'Votre nationalité, pays de résidence, adresse e-mail, numéro de téléphone, comptes, portefeuilles et vérification.',
    },
    'identity:date_of_birth': {
      displayName: 'Votre date de naissance',
      description: 'Le jour de votre naissance, et donc votre âge.',
    },
    'identity:legal_name': {
      displayName: 'Votre nom officiel',
      description: 'Votre nom tel qu’il figure sur vos documents.',
    },
    'identity:address_postal_code': {
      displayName: 'Votre code postal',
      description: 'Le code postal de votre domicile.',
    },
    'identity:address_full': {
      displayName: 'Votre adresse',
      description: 'L’adresse complète de votre domicile.',
    },
    profile: {
      displayName: 'Votre nom et votre date de naissance',
      description: 'Votre nom tel qu’il figure sur vos documents, et le jour de votre naissance.',
    },
    email: {
      displayName: 'Votre adresse e-mail',
      description: 'Une adresse e-mail où l’on peut vous joindre.',
    },
    phone: {
      displayName: 'Votre numéro de téléphone',
      description: 'Un numéro de téléphone où l’on peut vous joindre.',
    },
    address: { displayName: 'Où vous habitez', description: 'L’adresse complète de votre domicile.' },
    'kyc:read': {
      displayName: 'Vos contrôles d’identité',
      description:
        'Vos contrôles d’identité, de sanctions et de risque avec leur date ; le type, le pays et l’expiration de votre document ; votre région, votre emploi et vos fonctions publiques.',
    },
    'kyc:tax_residency': {
      displayName: 'Où vous payez vos impôts',
      description: 'Le pays de votre résidence fiscale.',
    },
    'kyc:document_number': {
      displayName: 'Le numéro de votre document',
      description: 'Le numéro du document avec lequel vous avez été contrôlé.',
    },
    'kyc:tax_id': {
      displayName: 'Votre numéro fiscal',
      description: 'Le numéro sous lequel vous payez vos impôts.',
    },
    'financial:read': {
      displayName: 'Vos échanges',
      description: 'Votre solde sur les plateformes d’échange et la fréquence de vos opérations.',
    },
    'financial:net_worth': {
      displayName: 'Votre patrimoine net',
      description: 'Ce que vous possédez, moins ce que vous devez.',
    },
    'financial:bank_balance': {
      displayName: 'Votre solde bancaire',
      description: 'Ce qui se trouve sur vos comptes bancaires.',
    },
    'financial:credit_card_balance': {
      displayName: 'Vos cartes de crédit',
      description: 'Ce que vous devez sur vos cartes de crédit.',
    },
    'financial:loan_balance': {
      displayName: 'Vos prêts',
      description: 'Ce que vous devez au titre de prêts.',
    },
    'financial:investment_balance': {
      displayName: 'Vos placements',
      description: 'La valeur de vos comptes de placement.',
    },
    'financial:retirement_balance': {
      displayName: 'Votre épargne retraite',
      description: 'La valeur de vos comptes d’épargne retraite.',
    },
    'financial:tradfi_balance': {
      displayName: 'Vos comptes réunis',
      description: 'La valeur totale de vos comptes bancaires et de placement.',
    },
    'financial:onchain_balance': {
      displayName: 'Vos portefeuilles',
      description: 'La valeur des portefeuilles dont vous avez prouvé être titulaire.',
    },
    'financial:total_liabilities': {
      displayName: 'Ce que vous devez',
      description: 'Le total de ce que vous devez.',
    },
    'financial:verified_income': {
      displayName: 'Vos revenus',
      description: 'Ce que vous gagnez par an, après vérification.',
    },
  },
};
