/** The pages in Portuguese. */
import type { PageTexts } from '../page-texts.js';

export const PORTUGUESE: PageTexts = {
  messages: {
    'page.skip': 'Ir para o conteúdo',
    'page.promise': 'Nada é compartilhado sem o seu consentimento.',
    'page.grants': 'Ver o que você compartilha',
    'page.back': 'Voltar para {app}',
    'page.nothingShared': 'Nada foi compartilhado.',
    'page.outdated':
      'Esta página estava desatualizada: alguém entrou ou saiu desde que ela foi aberta. Nada foi alterado. Confira se o nome nesta página é o seu e tente de novo.',
    'page.you': 'Você é {person}',
    'page.labeled': '{label}: {value}',
    'page.signIn': 'Entrar',
    'page.signOut': 'Sair',

    'app.of': 'de {organization}',
    'app.purpose': 'Finalidade, segundo o aplicativo',
    'app.privacy': 'Política de privacidade',
    'app.terms': 'Termos de uso',

    'sensitivity.low': 'Cotidiano',
    'sensitivity.medium': 'Pessoal',
    'sensitivity.high': 'Sensível',
    'sensitivity.critical': 'Muito sensível',

    'scope.example': 'Exemplo, não seus dados',
    'scope.yours': 'Seus dados atuais',
    'scope.included': 'Estas informações também fazem parte de: {scopes}.',
    'scope.claims': '{count, plural, one {Mostrar # item} other {Mostrar os # itens}}',
    'condition.answer': 'O aplicativo fica sabendo sim ou não, sempre que perguntar.',
    'condition.tag': 'Sim ou não',
    'evidence.none': '{app} vê respostas, não valores: sim ou não a cada pergunta.',
    'evidence.checks': '{app} vê respostas, não valores: sim ou não a cada parte de uma pergunta.',
    'evidence.some': '{app} vê respostas, não valores, sobre: {claims}.',
    'bound.years':
      '{claim}: as perguntas do aplicativo sempre deixam um intervalo de pelo menos {count, plural, one {# ano} other {# anos}}.',
    'bound.width': '{claim}: as perguntas do aplicativo sempre deixam um intervalo de pelo menos {width}.',
    'bound.values':
      '{claim}: as perguntas do aplicativo sempre deixam pelo menos {count, plural, one {# possibilidade} other {# possibilidades}}.',

    'consent.title': 'Compartilhar com {app}?',
    'consent.requester': 'Quem pergunta',
    'consent.return': 'Depois você volta para',
    'consent.duration': 'Por quanto tempo',
    'consent.untilEnded': 'Até você encerrar',
    'consent.untilAsked':
      'Até você encerrar, e no máximo {days, plural, one {# dia} other {# dias}} sem perguntar de novo',
    'consent.expiry': 'Tempo para decidir',
    'consent.minutes': '{minutes, plural, one {# minuto} other {# minutos}}',
    'consent.sees': 'O que {app} veria',
    'consent.learns': 'O que {app} ficaria sabendo',
    'consent.clear': 'Desmarque o que você não quer compartilhar.',
    'consent.hidden': 'O que não é compartilhado',
    'consent.hiddenCleared': 'Tudo o que nenhum item marcado incluir',
    'consent.hiddenPalm': 'A palma da sua mão e a sua identidade em outros aplicativos',
    'consent.hiddenMore':
      '{count, plural, one {Mais # item sensível que não foi pedido} other {Mais # itens sensíveis que não foram pedidos}}',
    'consent.stop': 'Você pode parar a qualquer momento: {grants}.',
    'consent.decide': 'Decidir',
    'consent.deny': 'Não compartilhar',
    'consent.share': 'Compartilhar',
    'consent.count': '{selected} de {total} selecionados',
    'consent.palm': 'Parte disto é sensível. Verifique a palma da mão e depois escolha o que compartilhar.',
    'consent.palmSandbox': 'O ambiente de testes não tem leitor: basta pressionar o botão.',
    'consent.verify': 'Verificar a palma da mão',
    'consent.person': 'Você é',
    'consent.other': 'Não é você?',
    'consent.choose': 'Escolha uma pessoa',
    'consent.unknownHint': 'O aplicativo perguntou por uma pessoa que não existe aqui: {hint}',
    'consent.nothingTitle': 'Nada selecionado',
    'consent.nothing':
      'Nada está selecionado. Selecione o que quer compartilhar ou pressione “Não compartilhar”.',
    'consent.outdatedTitle': 'Esta página estava desatualizada',
    'consent.outdated':
      'Esta página estava desatualizada: alguém entrou ou saiu desde que ela foi aberta. Nada foi compartilhado. Confira se o nome abaixo é o seu e decida de novo.',

    'grants.title': 'O que você compartilha',
    'grants.lead':
      'Os aplicativos que podem ver informações sobre você. Você pode parar de compartilhar a qualquer momento.',
    'grants.tooLate': 'É tarde demais para desfazer. Para compartilhar de novo, recomece no aplicativo.',
    'grants.none':
      'Você não compartilha nada com ninguém. Os aplicativos com os quais você compartilha aparecem aqui.',
    'grants.noneElse':
      'Você não compartilha nada com mais ninguém. Os aplicativos com os quais você compartilha aparecem aqui.',
    'grants.signedIn': 'Sessão de {person}',
    'grants.signOut': 'Sair',
    'grants.since': 'Desde',
    'grants.used': 'Último acesso',
    'grants.unused': 'Ainda nenhum',
    'grants.end': 'Parar de compartilhar',
    'grants.endWith': 'Parar de compartilhar com {app}',
    'grants.withdrawn': '{app} não tem mais acesso.',
    'grants.undo': 'Desfazer',
    'grants.undoWith': 'Desfazer: compartilhar de novo com {app}',
    'grants.undoLeft': 'por mais {seconds, plural, one {# segundo} other {# segundos}}',
    'grants.ended': 'Não é mais compartilhado',
    'grants.period': 'de {from} a {to}',
    'learned.summary': 'O que o aplicativo ficou sabendo',
    'learned.inferred': 'Ele pode deduzir:',
    'learned.values': 'Ele viu:',
    'learned.answers': 'Ele perguntou:',
    'learned.yes': 'Sim',
    'learned.no': 'Não',
    'learned.when': '{day}{changes, plural, =0 {} one {, mudou uma vez} other {, mudou # vezes}}',
    'learned.more': '{count, plural, one {e mais # pergunta} other {e mais # perguntas}}',
    'learned.moreAbout': 'Ele ficou sabendo mais do que podemos listar sobre:',
    'learned.note':
      'O que o aplicativo pode deduzir talvez esteja desatualizado se algo mudou. Se você excluir este registro, o aplicativo continua sabendo o que sabe.',
    'learned.delete': 'Excluir este registro',
    'learned.deleteOf': 'Excluir este registro: {app}',
    'learned.off':
      'Este serviço não registra o que os aplicativos ficam sabendo sobre você, então isso não pode ser mostrado aqui nem verificado depois.',

    'expired.title': 'Este pedido expirou',
    'expired.text':
      'Os pedidos expiram depois de algum tempo, para que ninguém mais possa responder por você. {nothing}',
    'expired.next': 'Para continuar, volte para {app} e comece de novo.',
    'denied.title': 'Você escolheu não compartilhar',
    'denied.text':
      '{nothing} Se mudar de ideia, comece de novo em {app}. Você receberá a pergunta outra vez.',
    'answered.title': 'Você já respondeu a este pedido',
    'answered.text': 'Você aceitou compartilhar com {app}. Não há mais nada a fazer aqui.',
    'answered.next': 'Você pode ver o que compartilha, e parar de compartilhar, a qualquer momento.',
    'revoked.title': 'O compartilhamento terminou',
    'revoked.text':
      'Você tinha aceitado compartilhar com {app}, e isso foi encerrado. {app} não tem mais acesso.',
    'revoked.next': 'Para compartilhar de novo, comece de novo em {app}. Você receberá a pergunta outra vez.',
    'unknown.title': 'Pedido não encontrado',
    'unknown.text':
      'O link está incompleto, ou o pedido foi iniciado em outro navegador ou em uma janela privada. Para sua segurança, você só pode responder a um pedido no navegador em que ele foi iniciado.',
    'unknown.next':
      '{nothing} Volte para o aplicativo e comece de novo, neste navegador e com cookies permitidos.',

    'signIn.title': 'Quem é você?',
    'signIn.lead': 'Estas são pessoas fictícias para testes. Escolha uma para entrar.',
    'signIn.closed': 'Você não pode entrar nesta página. Volte para o aplicativo e comece de novo.',
    'signIn.rejected': 'Pessoa desconhecida. Escolha de novo.',
    'signIn.required':
      'Sua sessão terminou, por isso esta solicitação não alterou nada. Entre para continuar.',
    'data.link': 'Baixar ou apagar seus dados',
    'data.title': 'Seus dados',
    'data.you': 'Você é {person}.',
    'data.download': 'Baixar',
    'data.what':
      'Um arquivo com seu nome e seus endereços, suas credenciais com os respectivos dados, o que você compartilha e o que os aplicativos ficaram sabendo, e os registros de auditoria sobre você.',
    'data.downloadButton': 'Baixar meus dados',
    'data.erase': 'Apagar',
    'data.eraseText':
      'Tudo isso é excluído, e todos os aplicativos perdem o acesso imediatamente. Os aplicativos podem guardar o que já ficaram sabendo: peça que excluam. Os registros de auditoria permanecem, mas não levam mais a você.',
    'data.confirm': 'Entendo que isso não pode ser desfeito.',
    'data.eraseButton': 'Apagar meus dados',
    'data.again': 'Entre de novo para apagar seus dados',
    'data.rejected': 'Nada foi apagado. Marque a caixa para confirmar.',
    'data.erased': 'Seus dados foram apagados',
    'data.erasedText': 'Nada aqui leva mais a você. Se você entrar de novo, começa do zero.',
    'providers.account': 'Escolha onde você tem uma conta.',
    'providers.palm': 'Escolha onde a palma da sua mão é verificada.',

    'signOut.title': 'Sair?',
    'signOut.heading': 'Sair de {service}?',
    'signOut.asked': '{app} pede que você saia aqui.',
    'signOut.text':
      'Você é {person}. Sair encerra as suas sessões em todos os navegadores. O que você compartilha não muda.',
    'signOut.return': 'Depois você volta para {address}.',
    'signOut.stay': 'Continuar na sessão',
    'signOut.confirm': 'Sair',
    'signedOut.title': 'Você saiu',
    'signedOut.text': 'Você saiu. O que você compartilha não mudou.',
    'signedOut.remaining':
      'Você continua na sessão em {provider}. Em um computador compartilhado, saia por lá também.',

    'landing.title': 'Boas-vindas',
    'landing.lead':
      'Este serviço responde a uma pergunta sobre uma pessoa: as credenciais verificadas dela atendem a esta condição? Os aplicativos só recebem resposta com o consentimento da pessoa.',
    'landing.sandbox': 'Este é um ambiente de testes: as pessoas e as credenciais são fictícias.',
    'landing.playground': 'Área de testes',
    'landing.playgroundText':
      'Escreva uma condição e veja o resultado para pessoas fictícias enquanto digita.',
    'landing.grantsText':
      'Veja quais aplicativos têm acesso a informações sobre você e pare de compartilhar.',
    'landing.discovery': 'Documento de descoberta',
    'landing.discoveryText': 'Endpoints e recursos, para clientes de OAuth 2.0 e OpenID Connect (JSON).',
    'landing.api': 'Descrição da API',
    'landing.apiText': 'Todos os endpoints, em um documento OpenAPI 3.1 (JSON).',

    'return.title': 'Voltando',
    'return.text': 'Você está voltando para {address}.',
    'return.continue': 'Continuar',

    'problem.title': 'Isto não funcionou',
    'problem.advice':
      'Volte para o aplicativo e comece de novo. Se isto acontecer outra vez, envie a mensagem abaixo ao suporte do aplicativo.',
    'problem.request': 'Pedido {id}.',
    'problem.received': 'Recebido',
    'problem.registered': 'Registrado',
    'problem.appTitle': 'Aplicativo desconhecido',
    'problem.app':
      'O aplicativo que enviou você para cá não está registrado, ou não está mais. Você não pode corrigir isso: avise o suporte do aplicativo.',
    'problem.linkTitle': 'Este link está incompleto',
    'problem.link':
      'Uma parte do link está faltando, está repetida ou foi alterada. Volte para o aplicativo e comece de novo.',
    'problem.addressTitle': 'O endereço de retorno não está registrado',
    'problem.address':
      'O aplicativo que enviou você para cá quer mandar você de volta para um endereço que ele não registrou. Você não pode corrigir isso: avise o suporte do aplicativo.',
    'problem.usedTitle': 'Este link expirou',
    'problem.used':
      'O link só funciona uma vez e por pouco tempo. Volte para o aplicativo que enviou você para cá e comece de novo.',
    'problem.signOutAddress':
      'O aplicativo que enviou você para cá para sair quer mandar você de volta para um endereço que ele não registrou. Você continua na sessão: abra “Ver o que você compartilha” abaixo e saia por lá.',
    'problem.formTitle': 'Este formulário não veio da nossa página',
    'problem.form':
      'Para sua segurança, só aceitamos formulários das nossas próprias páginas. Volte, recarregue a página e tente de novo.',
    'problem.signInTitle': 'Entre de novo',
    'problem.signIn':
      'O aplicativo que enviou você para cá exige uma entrada mais recente. Volte para o aplicativo e comece de novo. Se isto acontecer outra vez, envie a mensagem abaixo ao suporte do aplicativo.',
    'problem.canceledTitle': 'Você não entrou',
    'problem.canceled':
      'A entrada foi cancelada, demorou demais ou já tinha sido concluída. Volte para o aplicativo e comece de novo.',
    'problem.providerTitle': 'Você não pode entrar agora',
    'problem.provider':
      'O serviço em que você entra não responde. Recarregue a página daqui a pouco. Nada foi perdido.',
    'problem.palmTitle': 'Verifique primeiro a palma da mão',
    'problem.palm':
      'Parte das informações pedidas é sensível. Volte, recarregue a página e verifique a palma da mão.',
    'problem.laterTitle': 'Um momento, por favor',
    'problem.later':
      'O serviço não está disponível agora. Recarregue a página daqui a pouco. Nada foi perdido.',
    'problem.failureTitle': 'Algo deu errado',
    'problem.failure':
      'A falha é nossa e foi registrada. Tente mais tarde. Se acontecer outra vez, envie-nos a mensagem abaixo.',
  },
  scopes: {
    openid: {
      displayName: 'Iniciar a sua sessão',
      description:
        'Reconhecer você quando voltar, com um nome só para esta organização. É necessário para entrar.',
    },
    'profile.full': {
      displayName: 'Todo o seu perfil',
      description: 'Tudo o que é cotidiano e pessoal sobre quem você é, suas verificações e suas finanças.',
    },
    'data.read': {
      displayName: 'Suas credenciais',
      description: 'As próprias credenciais, dentro do que você compartilhar aqui.',
    },
    'identity:read': {
      displayName: 'Quem você é',
      description:
        'Sua nacionalidade, país de residência, e-mail, número de telefone, contas, carteiras e verificação.',
    },
    'identity:date_of_birth': {
      displayName: 'Sua data de nascimento',
      description: 'O dia em que você nasceu e, portanto, a sua idade.',
    },
    'identity:legal_name': {
      displayName: 'Seu nome legal',
      description: 'Seu nome como consta nos seus documentos.',
    },
    'identity:address_postal_code': {
      displayName: 'Seu código postal',
      description: 'O código postal de onde você mora.',
    },
    'identity:address_full': {
      displayName: 'Seu endereço',
      description: 'O endereço completo de onde você mora.',
    },
    profile: {
      displayName: 'Seu nome e data de nascimento',
      description: 'Seu nome como consta nos seus documentos e o dia em que você nasceu.',
    },
    email: { displayName: 'Seu e-mail', description: 'Um endereço de e-mail para contato com você.' },
    phone: {
      displayName: 'Seu número de telefone',
      description: 'Um número de telefone para contato com você.',
    },
    address: { displayName: 'Onde você mora', description: 'O endereço completo de onde você mora.' },
    'kyc:read': {
      displayName: 'Suas verificações de identidade',
      description:
        'Suas verificações de identidade, sanções e risco com data; tipo, país e validade do seu documento; região, emprego e cargos públicos.',
    },
    'kyc:tax_residency': {
      displayName: 'Onde você paga impostos',
      description: 'O país da sua residência fiscal.',
    },
    'kyc:document_number': {
      displayName: 'O número do seu documento',
      description: 'O número do documento com que você foi verificado.',
    },
    'kyc:tax_id': {
      displayName: 'Seu número de contribuinte',
      description: 'O número com que você paga impostos.',
    },
    'financial:read': {
      displayName: 'Suas negociações',
      description: 'Seu saldo em corretoras e com que frequência você negocia.',
    },
    'financial:net_worth': {
      displayName: 'Seu patrimônio líquido',
      description: 'O que você tem menos o que você deve.',
    },
    'financial:bank_balance': {
      displayName: 'Seu saldo bancário',
      description: 'O que há nas suas contas bancárias.',
    },
    'financial:credit_card_balance': {
      displayName: 'Seus cartões de crédito',
      description: 'O que você deve em cartões de crédito.',
    },
    'financial:loan_balance': {
      displayName: 'Seus empréstimos',
      description: 'O que você deve em empréstimos.',
    },
    'financial:investment_balance': {
      displayName: 'Seus investimentos',
      description: 'O valor das suas contas de investimento.',
    },
    'financial:retirement_balance': {
      displayName: 'Sua poupança para a aposentadoria',
      description: 'O valor das suas contas de aposentadoria.',
    },
    'financial:tradfi_balance': {
      displayName: 'O total das suas contas',
      description: 'O valor conjunto das suas contas bancárias e de investimento.',
    },
    'financial:onchain_balance': {
      displayName: 'Suas carteiras',
      description: 'O valor das carteiras que você provou serem suas.',
    },
    'financial:total_liabilities': {
      displayName: 'O que você deve',
      description: 'Tudo o que você deve, em conjunto.',
    },
    'financial:verified_income': {
      displayName: 'Sua renda',
      description: 'O que você ganha por ano, conforme verificado.',
    },
  },
};
