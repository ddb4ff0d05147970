/** The pages in Spanish. */
import type { PageTexts } from '../page-texts.js';

export const SPANISH: PageTexts = {
  messages: {
    'page.skip': 'Ir al contenido',
    'page.promise': 'No se comparte nada sin su consentimiento.',
    'page.grants': 'Ver lo que comparte',
    'page.back': 'Volver a {app}',
    'page.nothingShared': 'No se ha compartido nada.',
    'page.outdated':
      'Esta página no estaba actualizada: alguien ha iniciado o cerrado sesión desde que se abrió. No se ha cambiado nada. Compruebe que el nombre que aparece en esta página es el suyo e inténtelo de nuevo.',
    'page.you': 'Usted es {person}',
    'page.labeled': '{label}: {value}',
    'page.signIn': 'Iniciar sesión',
    'page.signOut': 'Cerrar sesión',

    'app.of': 'de {organization}',
    'app.purpose': 'Motivo, según la aplicación',
    'app.privacy': 'Política de privacidad',
    'app.terms': 'Condiciones de uso',

    'sensitivity.low': 'Cotidiano',
    'sensitivity.medium': 'Personal',
    'sensitivity.high': 'Delicado',
    'sensitivity.critical': 'Muy delicado',

    'scope.example': 'Ejemplo, no sus datos',
    'scope.yours': 'Sus datos actuales',
    'scope.included': 'Esta información también forma parte de: {scopes}.',
    'scope.claims': '{count, plural, one {Mostrar # dato} other {Mostrar los # datos}}',
    'condition.answer': 'La aplicación sabrá solo sí o no, cada vez que pregunte.',
    'condition.tag': 'Sí o no',
    'evidence.none': '{app} ve respuestas, no valores: sí o no a cada pregunta.',
    'evidence.checks': '{app} ve respuestas, no valores: sí o no a cada parte de una pregunta.',
    'evidence.some': '{app} ve respuestas, no valores, sobre: {claims}.',
    'bound.years':
      '{claim}: las preguntas de la aplicación dejan siempre un intervalo de al menos {count, plural, one {# año} other {# años}}.',
    'bound.width': '{claim}: las preguntas de la aplicación dejan siempre un intervalo de al menos {width}.',
    'bound.values':
      '{claim}: las preguntas de la aplicación dejan siempre al menos {count, plural, one {# posibilidad} other {# posibilidades}}.',

    'consent.title': '¿Compartir con {app}?',
    'consent.requester': 'Quién pregunta',
    'consent.return': 'Después volverá a',
    'consent.duration': 'Durante cuánto tiempo',
    'consent.untilEnded': 'Hasta que usted lo termine',
    'consent.untilAsked':
      'Hasta que usted lo termine, y como máximo {days, plural, one {# día} other {# días}} sin volver a preguntarle',
    'consent.expiry': 'Tiempo para decidir',
    'consent.minutes': '{minutes, plural, one {# minuto} other {# minutos}}',
    'consent.sees': 'Lo que vería {app}',
    'consent.learns': 'Lo que sabría {app}',
    'consent.clear': 'Desmarque lo que no quiera compartir.',
    'consent.hidden': 'Lo que no se comparte',
    'consent.hiddenCleared': 'Todo lo que ningún elemento marcado incluya',
    'consent.hiddenPalm': 'Su palma y su identidad en otras aplicaciones',
    'consent.hiddenMore':
      '{count, plural, one {# dato delicado más que no se ha pedido} other {# datos delicados más que no se han pedido}}',
    'consent.stop': 'Puede dejar de compartir en cualquier momento: {grants}.',
    'consent.decide': 'Decidir',
    'consent.deny': 'No compartir',
    'consent.share': 'Compartir',
    'consent.count': '{selected} de {total} seleccionados',
    'consent.palm': 'Parte de esto es delicado. Verifique su palma y elija después qué compartir.',
    'consent.palmSandbox': 'El entorno de pruebas no tiene lector: basta con pulsar el botón.',
    'consent.verify': 'Verificar mi palma',
    'consent.person': 'Usted es',
    'consent.other': '¿No es usted?',
    'consent.choose': 'Elija una persona',
    'consent.unknownHint': 'La aplicación ha preguntado por una persona que no existe aquí: {hint}',
    'consent.nothingTitle': 'No hay nada seleccionado',
    'consent.nothing': 'No hay nada seleccionado. Seleccione lo que quiera compartir o pulse «No compartir».',
    'consent.outdatedTitle': 'Esta página no estaba actualizada',
    'consent.outdated':
      'Esta página no estaba actualizada: alguien ha iniciado o cerrado sesión desde que se abrió. No se ha compartido nada. Compruebe que el nombre que aparece abajo es el suyo y decida de nuevo.',

    'grants.title': 'Lo que comparte',
    'grants.lead':
      'Las aplicaciones que pueden ver información sobre usted. Puede dejar de compartir en cualquier momento.',
    'grants.tooLate':
      'Ya es tarde para deshacerlo. Para volver a compartir, empiece de nuevo en la aplicación.',
    'grants.none': 'No comparte nada con nadie. Las aplicaciones con las que comparta aparecerán aquí.',
    'grants.noneElse':
      'No comparte nada con nadie más. Las aplicaciones con las que comparta aparecerán aquí.',
    'grants.signedIn': 'Sesión de {person}',
    'grants.signOut': 'Cerrar sesión',
    'grants.since': 'Desde',
    'grants.used': 'Último acceso',
    'grants.unused': 'Ninguno todavía',
    'grants.end': 'Dejar de compartir',
    'grants.endWith': 'Dejar de compartir con {app}',
    'grants.withdrawn': '{app} ya no tiene acceso.',
    'grants.undo': 'Deshacer',
    'grants.undoWith': 'Deshacer: volver a compartir con {app}',
    'grants.undoLeft': '{seconds, plural, one {queda # segundo} other {quedan # segundos}}',
    'grants.ended': 'Ya no se comparte',
    'grants.period': 'del {from} al {to}',
    'learned.summary': 'Lo que la aplicación ha averiguado',
    'learned.inferred': 'Puede deducir:',
    'learned.values': 'Ha visto:',
    'learned.answers': 'Ha preguntado:',
    'learned.yes': 'Sí',
    'learned.no': 'No',
    'learned.when': '{day}{changes, plural, =0 {} one {, cambió una vez} other {, cambió # veces}}',
    'learned.more': '{count, plural, one {y # pregunta más} other {y # preguntas más}}',
    'learned.moreAbout': 'Ha averiguado más de lo que podemos enumerar sobre:',
    'learned.note':
      'Lo que la aplicación puede deducir quizá ya no sea correcto si algo ha cambiado. Si elimina este registro, la aplicación sigue sabiendo lo que sabe.',
    'learned.delete': 'Eliminar este registro',
    'learned.deleteOf': 'Eliminar este registro: {app}',
    'learned.off':
      'Este servicio no registra lo que las aplicaciones averiguan sobre usted, así que no se puede mostrar aquí ni comprobar más tarde.',

    'expired.title': 'Esta solicitud ha caducado',
    'expired.text':
      'Las solicitudes caducan al cabo de un tiempo, para que nadie más pueda responderlas por usted. {nothing}',
    'expired.next': 'Para continuar, vuelva a {app} y empiece de nuevo.',
    'denied.title': 'Ha decidido no compartir',
    'denied.text': '{nothing} Si cambia de opinión, empiece de nuevo en {app}. Se le preguntará otra vez.',
    'answered.title': 'Ya ha respondido a esta solicitud',
    'answered.text': 'Ha aceptado compartir con {app}. Aquí ya no queda nada por hacer.',
    'answered.next': 'Puede ver lo que comparte, y dejar de compartirlo, en cualquier momento.',
    'revoked.title': 'Ya no se comparte',
    'revoked.text': 'Había aceptado compartir con {app}, y eso ha terminado. {app} ya no tiene acceso.',
    'revoked.next': 'Para volver a compartir, empiece de nuevo en {app}. Se le preguntará otra vez.',
    'unknown.title': 'Solicitud no encontrada',
    'unknown.text':
      'El enlace está incompleto, o la solicitud se inició en otro navegador o en una ventana privada. Por su seguridad, solo puede responder a una solicitud en el navegador en el que se inició.',
    'unknown.next':
      '{nothing} Vuelva a la aplicación y empiece de nuevo, en este navegador y con las cookies permitidas.',

    'signIn.title': '¿Quién es usted?',
    'signIn.lead': 'Son personas ficticias para hacer pruebas. Elija una para iniciar sesión.',
    'signIn.closed': 'No puede iniciar sesión en esta página. Vuelva a la aplicación y empiece de nuevo.',
    'signIn.rejected': 'Persona desconocida. Elija otra vez.',
    'signIn.required':
      'Su sesión ha terminado, por lo que esta solicitud no ha cambiado nada. Inicie sesión para continuar.',
    'data.link': 'Descargar o borrar sus datos',
    'data.title': 'Sus datos',
    'data.you': 'Usted es {person}.',
    'data.download': 'Descargar',
    'data.what':
      'Un archivo con su nombre y sus direcciones, sus credenciales con sus datos, lo que comparte y lo que las aplicaciones han averiguado, y las entradas del registro sobre usted.',
    'data.downloadButton': 'Descargar mis datos',
    'data.erase': 'Borrar',
    'data.eraseText':
      'Todo eso se elimina, y todas las aplicaciones pierden el acceso de inmediato. Las aplicaciones pueden conservar lo que ya han averiguado: pídales que lo eliminen. Las entradas del registro permanecen, pero ya no conducen a usted.',
    'data.confirm': 'Entiendo que esto no se puede deshacer.',
    'data.eraseButton': 'Borrar mis datos',
    'data.again': 'Inicie sesión de nuevo para borrar sus datos',
    'data.rejected': 'No se ha borrado nada. Marque la casilla para confirmar.',
    'data.erased': 'Sus datos se han borrado',
    'data.erasedText': 'Aquí ya nada conduce a usted. Si vuelve a iniciar sesión, empieza de nuevo.',
    'providers.account': 'Elija dónde tiene una cuenta.',
    'providers.palm': 'Elija dónde se verifica su palma.',

    'signOut.title': '¿Cerrar sesión?',
    'signOut.heading': '¿Cerrar sesión en {service}?',
    'signOut.asked': '{app} le pide que cierre sesión aquí.',
    'signOut.text':
      'Usted es {person}. Al cerrar sesión terminan sus sesiones en todos los navegadores. Lo que comparte no cambia.',
    'signOut.return': 'Después volverá a {address}.',
    'signOut.stay': 'Mantener la sesión',
    'signOut.confirm': 'Cerrar sesión',
    'signedOut.title': 'Ha cerrado sesión',
    'signedOut.text': 'Ha cerrado sesión. Lo que comparte no ha cambiado.',
    'signedOut.remaining':
      'Su sesión en {provider} sigue abierta. En un ordenador compartido, ciérrela allí también.',

    'landing.title': 'Le damos la bienvenida',
    'landing.lead':
      'Este servicio responde a una pregunta sobre una persona: ¿cumplen sus credenciales verificadas esta condición? Las aplicaciones solo reciben respuesta con el consentimiento de la persona.',
    'landing.sandbox': 'Este es un entorno de pruebas: sus personas y sus credenciales son ficticias.',
    'landing.playground': 'Zona de pruebas',
    'landing.playgroundText':
      'Escriba una condición y vea el resultado para personas ficticias mientras escribe.',
    'landing.grantsText':
      'Vea qué aplicaciones tienen acceso a información sobre usted y deje de compartirla.',
    'landing.discovery': 'Documento de descubrimiento',
    'landing.discoveryText':
      'Puntos de acceso y funciones, para clientes de OAuth 2.0 y OpenID Connect (JSON).',
    'landing.api': 'Descripción de la API',
    'landing.apiText': 'Todos los puntos de acceso, en un documento OpenAPI 3.1 (JSON).',

    'return.title': 'Volviendo',
    'return.text': 'Está volviendo a {address}.',
    'return.continue': 'Continuar',

    'problem.title': 'Esto no ha funcionado',
    'problem.advice':
      'Vuelva a la aplicación y empiece de nuevo. Si vuelve a ocurrir, envíe el mensaje de abajo al servicio de asistencia de la aplicación.',
    'problem.request': 'Solicitud {id}.',
    'problem.received': 'Recibida',
    'problem.registered': 'Registrada',
    'problem.appTitle': 'Aplicación desconocida',
    'problem.app':
      'La aplicación que le ha enviado aquí no está registrada, o ya no lo está. No puede solucionarlo usted: avise al servicio de asistencia de la aplicación.',
    'problem.linkTitle': 'Este enlace está incompleto',
    'problem.link':
      'Una parte del enlace falta, está repetida o se ha modificado. Vuelva a la aplicación y empiece de nuevo.',
    'problem.addressTitle': 'La dirección de vuelta no está registrada',
    'problem.address':
      'La aplicación que le ha enviado aquí quiere devolverle a una dirección que no ha registrado. No puede solucionarlo usted: avise al servicio de asistencia de la aplicación.',
    'problem.usedTitle': 'Este enlace ha caducado',
    'problem.used':
      'El enlace solo funciona una vez y durante poco tiempo. Vuelva a la aplicación que le ha enviado aquí y empiece de nuevo.',
    'problem.signOutAddress':
      'La aplicación que le ha enviado aquí para cerrar sesión quiere devolverle a una dirección que no ha registrado. Su sesión sigue abierta: abra «Ver lo que comparte» abajo y ciérrela allí.',
    'problem.formTitle': 'Este formulario no procede de nuestra página',
    'problem.form':
      'Por su seguridad, solo aceptamos formularios de nuestras propias páginas. Vuelva atrás, recargue la página e inténtelo de nuevo.',
    'problem.signInTitle': 'Inicie sesión de nuevo',
    'problem.signIn':
      'La aplicación que le ha enviado aquí exige un inicio de sesión más reciente. Vuelva a la aplicación y empiece de nuevo. Si vuelve a ocurrir, envíe el mensaje de abajo al servicio de asistencia de la aplicación.',
    'problem.canceledTitle': 'No ha iniciado sesión',
    'problem.canceled':
      'El inicio de sesión se canceló, tardó demasiado o ya se había completado. Vuelva a la aplicación y empiece de nuevo.',
    'problem.providerTitle': 'No puede iniciar sesión en este momento',
    'problem.provider':
      'El servicio en el que inicia sesión no responde. Recargue la página dentro de un momento. No se ha perdido nada.',
    'problem.palmTitle': 'Verifique primero su palma',
    'problem.palm':
      'Parte de la información solicitada es delicada. Vuelva atrás, recargue la página y verifique su palma.',
    'problem.laterTitle': 'Un momento, por favor',
    'problem.later':
      'El servicio no está disponible en este momento. Recargue la página dentro de un momento. No se ha perdido nada.',
    'problem.failureTitle': 'Algo ha ido mal',
    'problem.failure':
      'El fallo es nuestro y ha quedado registrado. Inténtelo más tarde. Si vuelve a ocurrir, envíenos el mensaje de abajo.',
  },
  scopes: {
    openid: {
      displayName: 'Iniciar su sesión',
      description:
        'Reconocerle cuando vuelva, con un nombre solo para esta organización. Es necesario para iniciar sesión.',
    },
    'profile.full': {
      displayName: 'Todo su perfil',
      description: 'Todo lo cotidiano y personal sobre quién es, sus verificaciones y sus finanzas.',
    },
    'data.read': {
      displayName: 'Sus credenciales',
      description: 'Las propias credenciales, dentro de lo que comparta aquí.',
    },
    'identity:read': {
      displayName: 'Quién es usted',
      description:
        'Su nacionalidad, país de residencia, correo electrónico, número de teléfono, cuentas, monederos y verificación.',
    },
    'identity:date_of_birth': {
      displayName: 'Su fecha de nacimiento',
      description: 'El día en que nació y, por tanto, su edad.',
    },
    'identity:legal_name': {
      displayName: 'Su nombre legal',
      description: 'Su nombre tal como figura en sus documentos.',
    },
    'identity:address_postal_code': {
      displayName: 'Su código postal',
      description: 'El código postal de su domicilio.',
    },
    'identity:address_full': {
      displayName: 'Su dirección',
      description: 'La dirección completa de su domicilio.',
    },
    profile: {
      displayName: 'Su nombre y fecha de nacimiento',
      description: 'Su nombre tal como figura en sus documentos y el día en que nació.',
    },
    email: {
      displayName: 'Su correo electrónico',
      description: 'Una dirección de correo electrónico para contactar con usted.',
    },
    phone: {
      displayName: 'Su número de teléfono',
      description: 'Un número de teléfono para contactar con usted.',
    },
    address: { displayName: 'Dónde vive', description: 'La dirección completa de su domicilio.' },
    'kyc:read': {
      displayName: 'Sus verificaciones de identidad',
      description:
        'Sus verificaciones de identidad, sanciones y riesgo con su fecha; tipo, país y caducidad de su documento; región, empleo y cargos públicos.',
    },
    'kyc:tax_residency': {
      displayName: 'Dónde paga impuestos',
      description: 'El país de su residencia fiscal.',
    },
    'kyc:document_number': {
      displayName: 'El número de su documento',
      description: 'El número del documento con el que se le verificó.',
    },
    'kyc:tax_id': {
      displayName: 'Su número de identificación fiscal',
      description: 'El número con el que paga impuestos.',
    },
    'financial:read': {
      displayName: 'Sus operaciones',
      description: 'Su saldo en plataformas de intercambio y con qué frecuencia opera.',
    },
    'financial:net_worth': {
      displayName: 'Su patrimonio neto',
      description: 'Lo que tiene menos lo que debe.',
    },
    'financial:bank_balance': {
      displayName: 'Su saldo bancario',
      description: 'Lo que hay en sus cuentas bancarias.',
    },
    'financial:credit_card_balance': {
      displayName: 'Sus tarjetas de crédito',
      description: 'Lo que debe en tarjetas de crédito.',
    },
    'financial:loan_balance': { displayName: 'Sus préstamos', description: 'Lo que debe en préstamos.' },
    'financial:investment_balance': {
      displayName: 'Sus inversiones',
      description: 'El valor de sus cuentas de inversión.',
    },
    'financial:retirement_balance': {
      displayName: 'Sus ahorros para la jubilación',
      description: 'El valor de sus cuentas de jubilación.',
    },
    'financial:tradfi_balance': {
      displayName: 'Sus cuentas en conjunto',
      description: 'El valor conjunto de sus cuentas bancarias y de inversión.',
    },
    'financial:onchain_balance': {
      displayName: 'Sus monederos',
      description: 'El valor de los monederos que ha demostrado que son suyos.',
    },
    'financial:total_liabilities': {
      displayName: 'Lo que debe',
      description: 'Todo lo que debe, en conjunto.',
    },
    'financial:verified_income': {
      displayName: 'Sus ingresos',
      description: 'Lo que gana al año, según lo verificado.',
    },
  },
};
