/** What each scope means, in words that a person understands. */

export interface ScopeText {
  readonly displayName: string;
  readonly description: string;
  readonly category: 'profile' | 'identity' | 'kyc' | 'financial';
}

export const SCOPE_TEXTS: Readonly<Record<string, ScopeText>> = {
  openid: profile(
    'Sign you in',
    'Recognise you when you come back, under a name made for this organisation alone.',
  ),
  'profile.full': profile(
    'Your whole profile',
    'Everything of low and medium sensitivity about who you are, your checks and your finances.',
  ),
  'data.read': profile(
    'Your credentials',
    'See the credentials themselves, within what else you share here.',
  ),
  'identity:read': identity(
    'Who you are',
    'Your nationality, country of residence, e-mail address, phone number and accounts.',
  ),
  'identity:date_of_birth': identity('Your date of birth', 'The day you were born, and so how old you are.'),
  'identity:legal_name': identity('Your legal name', 'Your name as it stands in your documents.'),
  'identity:address_postal_code': identity('Your postal code', 'The postal code of where you live.'),
  'identity:address_full': identity('Your address', 'The full address of where you live.'),
  'kyc:read': kyc(
    'Your identity checks',
    'Whether you passed checks of identity and sanctions, when, and with which kind of document.',
  ),
  'kyc:tax_residency': kyc('Where you pay taxes', 'The country in which you are resident for taxes.'),
  'kyc:document_number': kyc(
    'Your document’s number',
    'The number of the document with which you were checked.',
  ),
  'kyc:tax_id': kyc('Your tax number', 'The number under which you pay taxes.'),
  'financial:read': financial('Your trading', 'Your balance at exchanges and how often you trade.'),
  'financial:net_worth': financial('Your net worth', 'What you own less what you owe.'),
  'financial:bank_balance': financial('Your bank balance', 'What is in your bank accounts.'),
  'financial:credit_card_balance': financial('Your credit cards', 'What you owe on credit cards.'),
  'financial:loan_balance': financial('Your loans', 'What you owe on loans.'),
  'financial:investment_balance': financial('Your investments', 'What your investment accounts are worth.'),
  'financial:retirement_balance': financial(
    'Your retirement savings',
    'What your retirement accounts are worth.',
  ),
  'financial:tradfi_balance': financial(
    'Your accounts together',
    'What your bank and investment accounts are worth together.',
  ),
  'financial:onchain_balance': financial(
    'Your wallets',
    'What the wallets that you proved to be yours are worth.',
  ),
  'financial:total_liabilities': financial('What you owe', 'All that you owe, together.'),
  'financial:verified_income': financial('Your income', 'What you earn in a year, as verified.'),
};

function profile(displayName: string, description: string): ScopeText {
  return { displayName, description, category: 'profile' };
}

function identity(displayName: string, description: string): ScopeText {
  return { displayName, description, category: 'identity' };
}

function kyc(displayName: string, description: string): ScopeText {
  return { displayName, description, category: 'kyc' };
}

function financial(displayName: string, description: string): ScopeText {
  return { displayName, description, category: 'financial' };
}
