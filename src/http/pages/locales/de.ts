/** The pages in German. */
import type { PageTexts } from '../page-texts.js';

export const GERMAN: PageTexts = {
  messages: {
    'page.skip': 'Zum Inhalt springen',
    'page.promise': 'Ohne Ihre Zustimmung wird nichts geteilt.',
    'page.grants': 'Ansehen, was Sie teilen',
    'page.back': 'Zurück zu {app}',
    'page.nothingShared': 'Es wurde nichts geteilt.',
    'page.outdated':
      'Diese Seite war veraltet: Seit sie geöffnet wurde, hat sich jemand an- oder abgemeldet. Es wurde nichts geändert. Prüfen Sie, ob auf dieser Seite Ihr Name steht, und versuchen Sie es dann erneut.',
    'page.you': 'Sie sind {person}',
    'page.labeled': '{label}: {value}',
    'page.signIn': 'Anmelden',
    'page.signOut': 'Abmelden',

    'app.of': 'von {organization}',
    'app.purpose': 'Zweck, in eigenen Worten der App',
    'app.privacy': 'Datenschutzerklärung',
    'app.terms': 'Nutzungsbedingungen',

    'sensitivity.low': 'Alltäglich',
    'sensitivity.medium': 'Persönlich',
    'sensitivity.high': 'Vertraulich',
    'sensitivity.critical': 'Streng vertraulich',

    'scope.example': 'Beispiel, nicht Ihre Daten',
    'scope.yours': 'Derzeit bei Ihnen',
    'scope.included': 'Diese Angaben sind auch enthalten in: {scopes}.',
    'scope.claims': '{count, plural, one {# Angabe} other {Alle # Angaben}} zeigen',
    'condition.answer': 'Sie erfährt nur Ja oder Nein, so oft sie fragt.',
    'condition.tag': 'Ja oder Nein',
    'evidence.none': '{app} sieht Antworten, keine Werte: Ja oder Nein auf jede Frage.',
    'evidence.checks': '{app} sieht Antworten, keine Werte: Ja oder Nein auf jeden Teil einer Frage.',
    'evidence.some': '{app} sieht Antworten, keine Werte, zu: {claims}.',
    'bound.years':
      '{claim}: Fragen der App lassen immer einen Spielraum von mindestens {count, plural, one {# Jahr} other {# Jahren}}.',
    'bound.width': '{claim}: Fragen der App lassen immer einen Spielraum von mindestens {width}.',
    'bound.values':
      '{claim}: Fragen der App lassen immer mindestens {count, plural, one {# Möglichkeit} other {# Möglichkeiten}} offen.',

    'consent.title': 'Mit {app} teilen?',
    'consent.requester': 'Wer fragt',
    'consent.return': 'Danach geht es zurück zu',
    'consent.duration': 'Wie lange',
    'consent.untilEnded': 'Bis Sie es beenden',
    'consent.untilAsked':
      'Bis Sie es beenden, aber höchstens {days, plural, one {# Tag} other {# Tage}} ohne erneute Frage',
    'consent.expiry': 'Zeit zu entscheiden',
    'consent.minutes': '{minutes, plural, one {# Minute} other {# Minuten}}',
    'consent.sees': 'Was {app} sehen würde',
    'consent.learns': 'Was {app} erfahren würde',
    'consent.clear': 'Entfernen Sie die Häkchen bei allem, was Sie nicht teilen möchten.',
    'consent.hidden': 'Was nicht geteilt wird',
    'consent.hiddenCleared': 'Alles, was in keinem angekreuzten Punkt enthalten ist',
    'consent.hiddenPalm': 'Ihre Handfläche und Ihre Identität in anderen Apps',
    'consent.hiddenMore':
      '{count, plural, one {# weitere vertrauliche Angabe, die nicht angefragt wurde} other {# weitere vertrauliche Angaben, die nicht angefragt wurden}}',
    'consent.stop': 'Sie können das jederzeit beenden: {grants}.',
    'consent.decide': 'Entscheiden',
    'consent.deny': 'Nicht teilen',
    'consent.share': 'Teilen',
    'consent.count': '{selected} von {total} ausgewählt',
    'consent.palm':
      'Einiges davon ist vertraulich. Bestätigen Sie Ihre Handfläche und wählen Sie dann aus, was Sie teilen.',
    'consent.palmSandbox': 'Die Sandbox hat kein Lesegerät: Drücken Sie einfach die Schaltfläche.',
    'consent.verify': 'Handfläche bestätigen',
    'consent.person': 'Sie sind',
    'consent.other': 'Nicht Sie?',
    'consent.choose': 'Person auswählen',
    'consent.unknownHint': 'Die App hat nach einer Person gefragt, die es hier nicht gibt: {hint}',
    'consent.nothingTitle': 'Nichts ausgewählt',
    'consent.nothing':
      'Es ist nichts ausgewählt. Wählen Sie aus, was Sie teilen möchten, oder drücken Sie „Nicht teilen“.',
    'consent.outdatedTitle': 'Diese Seite war veraltet',
    'consent.outdated':
      'Diese Seite war veraltet: Seit sie geöffnet wurde, hat sich jemand an- oder abgemeldet. Es wurde nichts geteilt. Prüfen Sie, ob unten Ihr Name steht, und entscheiden Sie dann erneut.',

    'grants.title': 'Was Sie teilen',
    'grants.lead': 'Die Apps, die Angaben über Sie sehen dürfen. Sie können das Teilen jederzeit beenden.',
    'grants.tooLate':
      'Das lässt sich nicht mehr rückgängig machen. Um wieder zu teilen, beginnen Sie in der App von vorn.',
    'grants.none': 'Sie teilen mit niemandem etwas. Apps, mit denen Sie teilen, erscheinen hier.',
    'grants.noneElse': 'Sie teilen mit niemandem sonst etwas. Apps, mit denen Sie teilen, erscheinen hier.',
    'grants.signedIn': 'Angemeldet als {person}',
    'grants.signOut': 'Abmelden',
    'grants.since': 'Seit',
    'grants.used': 'Letzter Zugriff',
    'grants.unused': 'Noch keiner',
    'grants.end': 'Teilen beenden',
    'grants.endWith': 'Teilen beenden: {app}',
    'grants.withdrawn': '{app} hat keinen Zugriff mehr.',
    'grants.undo': 'Rückgängig',
    'grants.undoWith': 'Rückgängig: wieder mit {app} teilen',
    'grants.undoLeft': 'noch {seconds, plural, one {# Sekunde} other {# Sekunden}}',
    'grants.ended': 'Nicht mehr geteilt',
    'grants.period': '{from} bis {to}',
    'learned.summary': 'Was die App erfahren hat',
    'learned.inferred': 'Die App kann daraus schließen:',
    'learned.values': 'Die App hat gesehen:',
    'learned.answers': 'Die App hat gefragt:',
    'learned.yes': 'Ja',
    'learned.no': 'Nein',
    'learned.when': '{day}{changes, plural, =0 {} one {, einmal geändert} other {, # Mal geändert}}',
    'learned.more': '{count, plural, one {und # weitere Frage} other {und # weitere Fragen}}',
    'learned.moreAbout': 'Die App hat mehr erfahren, als wir aufzählen können, über:',
    'learned.note':
      'Was die App schließen kann, ist möglicherweise überholt, wenn sich etwas geändert hat. Wenn Sie diese Aufzeichnung löschen, weiß die App weiterhin, was sie weiß.',
    'learned.delete': 'Diese Aufzeichnung löschen',
    'learned.deleteOf': 'Diese Aufzeichnung löschen: {app}',
    'learned.off':
      'Dieser Dienst zeichnet nicht auf, was Apps über Sie erfahren. Deshalb kann es hier nicht gezeigt und später nicht geprüft werden.',

    'expired.title': 'Diese Anfrage ist abgelaufen',
    'expired.text':
      'Anfragen laufen nach einer Weile ab, damit niemand anderes sie für Sie beantworten kann. {nothing}',
    'expired.next': 'Gehen Sie zurück zu {app} und beginnen Sie von vorn.',
    'denied.title': 'Sie haben sich gegen das Teilen entschieden',
    'denied.text':
      '{nothing} Wenn Sie es sich anders überlegen, beginnen Sie bei {app} von vorn. Sie werden erneut gefragt.',
    'answered.title': 'Sie haben diese Anfrage schon beantwortet',
    'answered.text': 'Sie haben zugestimmt, mit {app} zu teilen. Hier ist nichts mehr zu tun.',
    'answered.next': 'Sie können jederzeit ansehen, was Sie teilen, und das Teilen beenden.',
    'revoked.title': 'Das Teilen ist beendet',
    'revoked.text':
      'Sie hatten zugestimmt, mit {app} zu teilen, und das wurde beendet. {app} hat keinen Zugriff mehr.',
    'revoked.next': 'Um wieder zu teilen, beginnen Sie bei {app} von vorn. Sie werden erneut gefragt.',
    'unknown.title': 'Anfrage nicht gefunden',
    'unknown.text':
      'Der Link ist unvollständig, oder die Anfrage wurde in einem anderen Browser oder einem privaten Fenster begonnen. Zu Ihrer Sicherheit können Sie eine Anfrage nur in dem Browser beantworten, in dem sie begonnen wurde.',
    'unknown.next':
      '{nothing} Gehen Sie zurück zur App und beginnen Sie von vorn, in diesem Browser und mit erlaubten Cookies.',

    'signIn.title': 'Wer sind Sie?',
    'signIn.lead': 'Das sind Beispielpersonen zum Testen. Wählen Sie eine aus, um sich anzumelden.',
    'signIn.closed':
      'Auf dieser Seite können Sie sich nicht anmelden. Gehen Sie zurück zur App und beginnen Sie von vorn.',
    'signIn.rejected': 'Unbekannte Person. Bitte wählen Sie erneut.',
    'signIn.required':
      'Ihre Sitzung ist beendet, daher hat diese Anfrage nichts geändert. Melden Sie sich an, um fortzufahren.',
    'data.link': 'Ihre Daten herunterladen oder löschen',
    'data.title': 'Ihre Daten',
    'data.you': 'Sie sind {person}.',
    'data.download': 'Herunterladen',
    'data.what':
      'Eine Datei mit Ihrem Namen und Ihren Adressen, Ihren Nachweisen mit deren Angaben, dem, was Sie teilen und was Apps erfahren haben, und den Protokolleinträgen über Sie.',
    'data.downloadButton': 'Meine Daten herunterladen',
    'data.erase': 'Löschen',
    'data.eraseText':
      'All das wird gelöscht, und jede App verliert sofort den Zugriff. Was Apps schon erfahren haben, können sie behalten: Bitten Sie sie, es zu löschen. Protokolleinträge bleiben, führen aber nicht mehr zu Ihnen.',
    'data.confirm': 'Mir ist klar, dass sich das nicht rückgängig machen lässt.',
    'data.eraseButton': 'Meine Daten löschen',
    'data.again': 'Melden Sie sich erneut an, um Ihre Daten zu löschen',
    'data.rejected': 'Es wurde nichts gelöscht. Setzen Sie zur Bestätigung das Häkchen.',
    'data.erased': 'Ihre Daten sind gelöscht',
    'data.erasedText': 'Nichts führt hier mehr zu Ihnen. Wenn Sie sich wieder anmelden, fangen Sie neu an.',
    'providers.account': 'Wählen Sie, wo Sie ein Konto haben.',
    'providers.palm': 'Wählen Sie, wo Ihre Handfläche bestätigt wird.',

    'signOut.title': 'Abmelden?',
    'signOut.heading': 'Von {service} abmelden?',
    'signOut.asked': '{app} bittet Sie, sich hier abzumelden.',
    'signOut.text':
      'Sie sind {person}. Die Abmeldung beendet Ihre Sitzungen in allen Browsern. Was Sie teilen, ändert sich dadurch nicht.',
    'signOut.return': 'Danach geht es zurück zu {address}.',
    'signOut.stay': 'Angemeldet bleiben',
    'signOut.confirm': 'Abmelden',
    'signedOut.title': 'Sie sind abgemeldet',
    'signedOut.text': 'Sie sind abgemeldet. Was Sie teilen, hat sich nicht geändert.',
    'signedOut.remaining':
      'Bei {provider} sind Sie noch angemeldet. An einem gemeinsam genutzten Computer melden Sie sich auch dort ab.',

    'landing.title': 'Willkommen',
    'landing.lead':
      'Dieser Dienst beantwortet eine Frage über eine Person: Erfüllen ihre geprüften Nachweise diese Bedingung? Apps erhalten nur mit Zustimmung der Person eine Antwort.',
    'landing.sandbox': 'Das ist eine Sandbox: Alle Personen und ihre Nachweise sind erfunden.',
    'landing.playground': 'Spielwiese',
    'landing.playgroundText':
      'Schreiben Sie eine Bedingung und sehen Sie beim Tippen das Ergebnis für Beispielpersonen.',
    'landing.grantsText': 'Sehen Sie, welche Apps Zugriff auf Angaben über Sie haben, und beenden Sie ihn.',
    'landing.discovery': 'Discovery-Dokument',
    'landing.discoveryText': 'Endpunkte und Funktionen für Clients von OAuth 2.0 und OpenID Connect (JSON).',
    'landing.api': 'Beschreibung der Schnittstelle',
    'landing.apiText': 'Jeder Endpunkt, als OpenAPI-3.1-Dokument (JSON).',

    'return.title': 'Es geht zurück',
    'return.text': 'Sie werden zurückgeleitet zu {address}.',
    'return.continue': 'Weiter',

    'problem.title': 'Das hat nicht geklappt',
    'problem.advice':
      'Gehen Sie zurück zur App und beginnen Sie von vorn. Wenn es wieder passiert, senden Sie die Meldung unten an den Support der App.',
    'problem.request': 'Anfrage {id}.',
    'problem.received': 'Erhalten',
    'problem.registered': 'Registriert',
    'problem.appTitle': 'Unbekannte App',
    'problem.app':
      'Die App, die Sie hierher geschickt hat, ist nicht oder nicht mehr registriert. Sie selbst können das nicht beheben: Bitte melden Sie es dem Support der App.',
    'problem.linkTitle': 'Dieser Link ist unvollständig',
    'problem.link':
      'Ein Teil des Links fehlt, steht doppelt darin oder wurde verändert. Gehen Sie zurück zur App und beginnen Sie von vorn.',
    'problem.addressTitle': 'Die Rücksprungadresse ist nicht registriert',
    'problem.address':
      'Die App, die Sie hierher geschickt hat, möchte Sie an eine Adresse zurückschicken, die sie nicht registriert hat. Sie selbst können das nicht beheben: Bitte melden Sie es dem Support der App.',
    'problem.usedTitle': 'Dieser Link ist abgelaufen',
    'problem.used':
      'Der Link funktioniert nur einmal und nur für kurze Zeit. Gehen Sie zurück zu der App, die Sie hierher geschickt hat, und beginnen Sie von vorn.',
    'problem.signOutAddress':
      'Die App, die Sie zum Abmelden hierher geschickt hat, möchte Sie an eine Adresse zurückschicken, die sie nicht registriert hat. Sie sind noch angemeldet: Öffnen Sie unten „Ansehen, was Sie teilen“ und melden Sie sich dort ab.',
    'problem.formTitle': 'Dieses Formular kam nicht von unserer Seite',
    'problem.form':
      'Zu Ihrer Sicherheit nehmen wir Formulare nur von unseren eigenen Seiten an. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
    'problem.signInTitle': 'Melden Sie sich erneut an',
    'problem.signIn':
      'Die App, die Sie hierher geschickt hat, verlangt eine neuere Anmeldung. Gehen Sie zurück zur App und beginnen Sie von vorn. Wenn es wieder passiert, senden Sie die Meldung unten an den Support der App.',
    'problem.canceledTitle': 'Sie sind nicht angemeldet',
    'problem.canceled':
      'Die Anmeldung wurde abgebrochen, dauerte zu lange oder war schon abgeschlossen. Gehen Sie zurück zur App und beginnen Sie von vorn.',
    'problem.providerTitle': 'Sie können sich gerade nicht anmelden',
    'problem.provider':
      'Die Stelle, bei der Sie sich anmelden, antwortet nicht. Laden Sie die Seite gleich noch einmal. Es geht nichts verloren.',
    'problem.palmTitle': 'Bestätigen Sie zuerst Ihre Handfläche',
    'problem.palm':
      'Einige der angefragten Angaben sind vertraulich. Gehen Sie zurück, laden Sie die Seite neu und bestätigen Sie Ihre Handfläche.',
    'problem.laterTitle': 'Einen Moment bitte',
    'problem.later':
      'Der Dienst ist gerade nicht verfügbar. Laden Sie die Seite gleich noch einmal. Es geht nichts verloren.',
    'problem.failureTitle': 'Da ist etwas schiefgegangen',
    'problem.failure':
      'Der Fehler liegt bei uns und wurde aufgezeichnet. Versuchen Sie es später noch einmal. Wenn es wieder passiert, senden Sie uns die Meldung unten.',
  },
  scopes: {
    openid: {
      displayName: 'Sie anmelden',
      description:
        'Sie wiedererkennen, unter einem Namen nur für diese Organisation. Für die Anmeldung ist das nötig.',
    },
    'profile.full': {
      displayName: 'Ihr ganzes Profil',
      description:
        'Alles Alltägliche und Persönliche darüber, wer Sie sind, über Ihre Prüfungen und Ihre Finanzen.',
    },
    'data.read': {
      displayName: 'Ihre Nachweise',
      description: 'Die Nachweise selbst, soweit Sie deren Inhalt hier teilen.',
    },
    'identity:read': {
      displayName: 'Wer Sie sind',
      description:
        'Ihre Staatsangehörigkeit, Ihr Wohnsitzland, E-Mail-Adresse, Telefonnummer, Konten, Wallets und Verifizierung.',
    },
    'identity:date_of_birth': {
      displayName: 'Ihr Geburtsdatum',
      description: 'Der Tag Ihrer Geburt und damit Ihr Alter.',
    },
    'identity:legal_name': {
      displayName: 'Ihr amtlicher Name',
      description: 'Ihr Name, wie er in Ihren Dokumenten steht.',
    },
    'identity:address_postal_code': {
      displayName: 'Ihre Postleitzahl',
      description: 'Die Postleitzahl Ihres Wohnorts.',
    },
    'identity:address_full': {
      displayName: 'Ihre Anschrift',
      description: 'Die vollständige Anschrift Ihres Wohnorts.',
    },
    profile: {
      displayName: 'Ihr Name und Geburtsdatum',
      description: 'Ihr Name, wie er in Ihren Dokumenten steht, und der Tag Ihrer Geburt.',
    },
    email: {
      displayName: 'Ihre E-Mail-Adresse',
      description: 'Eine E-Mail-Adresse, unter der Sie erreichbar sind.',
    },
    phone: {
      displayName: 'Ihre Telefonnummer',
      description: 'Eine Telefonnummer, unter der Sie erreichbar sind.',
    },
    address: { displayName: 'Wo Sie wohnen', description: 'Die vollständige Anschrift Ihres Wohnorts.' },
    'kyc:read': {
      displayName: 'Ihre Identitätsprüfungen',
      description:
        'Ihre Identitäts-, Sanktions- und Risikoprüfungen mit Datum; Art, Land und Ablauf Ihres Ausweises; Region, Beschäftigung und öffentliche Ämter.',
    },
    'kyc:tax_residency': {
      displayName: 'Wo Sie Steuern zahlen',
      description: 'Das Land, in dem Sie steuerpflichtig sind.',
    },
    'kyc:document_number': {
      displayName: 'Ihre Ausweisnummer',
      description: 'Die Nummer des Ausweises, mit dem Sie geprüft wurden.',
    },
    'kyc:tax_id': {
      displayName: 'Ihre Steuernummer',
      description: 'Die Nummer, unter der Sie Steuern zahlen.',
    },
    'financial:read': {
      displayName: 'Ihr Handel',
      description: 'Ihr Guthaben bei Kryptobörsen und wie oft Sie handeln.',
    },
    'financial:net_worth': {
      displayName: 'Ihr Vermögen',
      description: 'Was Sie besitzen, abzüglich dessen, was Sie schulden.',
    },
    'financial:bank_balance': {
      displayName: 'Ihr Bankguthaben',
      description: 'Was auf Ihren Bankkonten ist.',
    },
    'financial:credit_card_balance': {
      displayName: 'Ihre Kreditkarten',
      description: 'Was Sie auf Kreditkarten schulden.',
    },
    'financial:loan_balance': {
      displayName: 'Ihre Darlehen',
      description: 'Was Sie aus Darlehen schulden.',
    },
    'financial:investment_balance': {
      displayName: 'Ihre Geldanlagen',
      description: 'Was Ihre Depots wert sind.',
    },
    'financial:retirement_balance': {
      displayName: 'Ihre Altersvorsorge',
      description: 'Was Ihre Konten zur Altersvorsorge wert sind.',
    },
    'financial:tradfi_balance': {
      displayName: 'Ihre Konten zusammen',
      description: 'Was Ihre Bankkonten und Depots zusammen wert sind.',
    },
    'financial:onchain_balance': {
      displayName: 'Ihre Wallets',
      description: 'Was die Wallets wert sind, die nachweislich Ihnen gehören.',
    },
    'financial:total_liabilities': {
      displayName: 'Was Sie schulden',
      description: 'Alles, was Sie schulden, zusammen.',
    },
    'financial:verified_income': {
      displayName: 'Ihr Einkommen',
      description: 'Was Sie nachweislich im Jahr verdienen.',
    },
  },
};
