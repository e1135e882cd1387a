// The keys of the dashboard's queries; those of the site stand in query-keys.ts, which every page brings.

/** A part of a question as it is sent: anything that reads the same is the same key. */
type Asked = unknown

const ofDashboard = ['dashboard'] as const
const diary = [...ofDashboard, 'diary'] as const
const customers = [...ofDashboard, 'customers'] as const
const sales = [...ofDashboard, 'sales'] as const
const rearranging = [...ofDashboard, 'rearranging'] as const

export const dashboardKeys = {
  /** Everything an institute's people read; what a change makes stale is named below. */
  all: ofDashboard,
  /** The check of the business. */
  businessCheck: [...ofDashboard, 'business-check'],
  setupState: [...ofDashboard, 'setup'],
  setupListings: (name: string, lat: number, lon: number) => [...ofDashboard, 'setup', 'listings', name, lat, lon],
  setupStarters: (category: string) => [...ofDashboard, 'setup', 'starters', category],
  /** The menu of the institute, with what a service can be made of. */
  menu: [...ofDashboard, 'menu'],
  instituteVisits: (place: Asked) => [...ofDashboard, 'visits', place],
  customers: {
    /** Whatever is told of clients. */
    all: customers,
    list: (asked: Asked) => [...customers, 'list', asked],
    one: (id: string) => [...customers, 'one', id],
    visits: (id: string) => [...customers, 'visits', id],
    duplicates: (of: string | null) => [...customers, 'duplicates', of],
  },
  sales: {
    /** Whatever is told of money that was taken. */
    all: sales,
    list: (asked: Asked) => [...sales, 'list', asked],
    one: (id: string) => [...sales, 'one', id],
    /** What a visit is to pay. */
    ofVisit: (visitId: string) => [...sales, 'visit', visitId],
    tillDay: [...sales, 'till'],
    fees: [...sales, 'fees'],
    /** Each mark of a visit is another question. */
    feeOf: (visitId: string, version: number) => [...sales, 'fees', visitId, version],
    /** Of packages, for a visit as it is now. */
    sessionsOf: (visitId: string, version: Asked) => [...sales, 'sessions', visitId, version],
    products: [...sales, 'products'],
    packages: [...sales, 'packages'],
    packagesOf: (customerId: string) => [...sales, 'packages', customerId],
    giftCards: (asked: Asked) => [...sales, 'gift-cards', asked],
    giftCardRule: [...sales, 'gift-cards', 'rule'],
  },
  /** What is sent to the bank. */
  payouts: {
    list: (asked: Asked) => [...ofDashboard, 'payouts', 'list', asked],
    one: (id: string) => [...ofDashboard, 'payouts', 'one', id],
  },
  /** The first page: the day, and figures of a period. */
  home: [...ofDashboard, 'home'] as const,
  gaps: [...ofDashboard, 'gaps'] as const,
  figures: (period: string) => [...ofDashboard, 'figures', period],
  /** The institute's own page, as clients see it. */
  publicPage: (slug: string) => [...ofDashboard, 'public-page', slug],
  /** What an institute sets about itself. */
  institute: {
    settings: [...ofDashboard, 'settings'] as const,
    /** What its account at the provider of payments can do. */
    account: [...ofDashboard, 'account'] as const,
    closures: [...ofDashboard, 'closures'] as const,
    permissions: [...ofDashboard, 'permissions'] as const,
    members: [...ofDashboard, 'members'] as const,
    menu: (slug: string) => [...ofDashboard, 'menu', slug] as const,
    whatIf: (asked: object | null) => [...ofDashboard, 'what-if', asked] as const,
  },
  rearranging: {
    all: rearranging,
    answers: [...rearranging, 'answers'],
    proposals: (about: Asked) => [...rearranging, 'proposals', about],
    late: [...rearranging, 'late'],
    wouldBeLate: (staffId: string, minutes: number) => [...rearranging, 'late', staffId, minutes],
  },
  team: [...ofDashboard, 'team'],
  busyCalendar: (memberId: string) => [...ofDashboard, 'busy-calendar', memberId],
  visitsOfMember: (id: string, from: string) => [...ofDashboard, 'team', id, 'visits', from],
  leaveMeets: (asked: Asked) => [...ofDashboard, 'team', 'leave', asked],
  /** Days off that were asked for. */
  leaveRequests: { own: [...ofDashboard, 'leave-requests', 'own'], open: [...ofDashboard, 'leave-requests', 'open'] },
  people: [...ofDashboard, 'people'],
  resources: [...ofDashboard, 'resources'],
  /** What is kept of the calendar on the device. */
  daySheet: (owner: string | null) => [...ofDashboard, 'day-sheet', owner],
  diary: {
    /** Whatever says what the institute's time is taken by. */
    all: diary,
    allDays: [...diary, 'days'] as const,
    days: (from: string, days: number) => [...diary, 'days', from, days],
    allMonths: [...diary, 'month'] as const,
    month: (month: string) => [...diary, 'month', month],
    visit: (id: string) => [...diary, 'visit', id],
    cancellation: (ids: Asked) => [...diary, 'cancellation', ids],
    times: (asked: Asked) => [...diary, 'times', asked],
    sessionPlan: (asked: Asked) => [...diary, 'session-plan', asked],
    why: (asked: Asked) => [...diary, 'why', asked],
    menu: (slug: string) => [...ofDashboard, 'diary-menu', slug],
    customers: (search: string) => [...ofDashboard, 'diary-customers', search],
  },
} as const
