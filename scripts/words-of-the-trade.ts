/** Terms that have one word in each language, in `docs/terms.tsv` with all the others, as a check can look for them. */
export interface Term {
  /** As it stands in `docs/terms.tsv`. */
  term: string
  en: RegExp
  stems: Readonly<Record<string, RegExp>>
  /** Sentences that say it another way. */
  unless?: readonly string[]
}

const english = (words: string): RegExp => new RegExp(`(?<![\\w-])(?:${words})(?![\\w-])`, 'i')

/** Where English says the term, French and Arabic have its stem. */
export const terms: readonly Term[] = [
  {
    term: 'institute',
    en: english('institutes?'),
    stems: { fr: /établissement/i, ar: /مركز|مراكز/ },
    unless: ['reasons.notice', 'sales none.text'],
  },
  {
    term: 'service',
    en: english('services?'),
    stems: { fr: /prestation/i, ar: /خدم/ },
    // A visit under way is "en cours".
    unless: [
      'dashboard attendance.in_service',
      'diary attendance.in_service',
      'diary noted.in_service',
      'diary history.in_service',
      'exportFile.in_service',
    ],
  },
  { term: 'visit', en: english('visits?|appointments?'), stems: { fr: /rendez-vous|début/i, ar: /موعد|مواعيد/ } },
  {
    // Kept for a while: who reads "réservé" or "محجوز" there takes it for booked.
    term: 'hold (noun)',
    en: english('held for|holds?|holding|(?:is|time is) kept for'),
    stems: { fr: /gard/i, ar: /حفظ|محفوظ|حتفظ|احتفاظ/ },
    unless: [
      'diary inTheWay.held',
      'diary inTheWay.heldBy',
      'exportFile.readMeCalendar',
      'exportFile.readMeData',
      'exportFile.readMeSheets',
      'home band.title',
      'home pro.fourth',
      'sales refused.why.no_balance',
      'team hours.later',
      'team hours.since',
    ],
  },
  { term: 'deposit', en: english('deposits?'), stems: { fr: /acompte/i, ar: /عربون/ } },
  { term: 'password', en: english('passwords?'), stems: { fr: /mot de passe/i, ar: /كلمة المرور|كلمة مرور/ } },
  { term: 'email', en: english('emails?'), stems: { fr: /e-mail/i, ar: /البريد|بريد|رسالة/ } },
  { term: 'code', en: english('codes?'), stems: { fr: /code/i, ar: /رمز|رموز/ } },
  { term: 'team', en: english('teams?'), stems: { fr: /équipe/i, ar: /فريق/ } },
  {
    term: 'review',
    en: english('reviews?'),
    stems: { fr: /avis/i, ar: /تقييم/ },
    // Looking something over once more.
    unless: ['booking actions.time', 'home pro.steps.review', 'setup steps.review', 'site setup.names.review'],
  },
  { term: 'favourite', en: english('favourites?|favoris'), stems: { fr: /favori/i, ar: /مفضّ?ل/ } },
  {
    term: 'client',
    en: english('clients?'),
    stems: { fr: /client/i, ar: /عميل|عملا[ءئ]/ },
    // How far ahead "one" can book.
    unless: ['institute-settings rules.horizonHint'],
  },
  { term: 'invoice', en: english('invoices?'), stems: { fr: /facture/i, ar: /فاتور[ةت]|فواتير/ } },
  { term: 'My Salon', en: /My ?Salon/, stems: { fr: /mon salon/i, ar: /صالوني/ } },
]
