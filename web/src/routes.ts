// Every page of the table in `contract/src/site-routes.ts` with its module. A path that is not there leads home.
import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'
import { siteRoutes, type SiteRouteName } from '@soigne/contract/site-routes'

const modules: Record<SiteRouteName, string> = {
  home: 'pages/home/home-page.tsx',
  institutes: 'pages/institutes/institutes-page.tsx',
  institute: 'pages/institute/institute-page.tsx',
  booking: 'pages/booking/booking-page.tsx',
  appointments: 'pages/appointments/appointments-page.tsx',
  appointment: 'pages/appointment/appointment-page.tsx',
  favourites: 'pages/favourites/favourites-page.tsx',
  settings: 'pages/settings/settings-page.tsx',
  chats: 'pages/chat/chat-page.tsx',
  chat: 'pages/chat/chat-page.tsx',
  login: 'pages/login/login-page.tsx',
  register: 'features/session/register-page.tsx',
  resetPassword: 'features/password/reset-password-page.tsx',
  verification: 'pages/verification/verification-page.tsx',
  giveAccess: 'features/calendars/give-access-page.tsx',
  terms: 'features/help/terms-page.tsx',
  reviewsPolicy: 'features/help/reviews-policy-page.tsx',
  help: 'features/help/help-page.tsx',
  icons: 'features/help/icons-page.tsx',
  setup: 'pages/setup/setup-page.tsx',
  mySalon: 'pages/dashboard/my-salon-page.tsx',
  ownSalon: 'pages/own-salon/own-salon-page.tsx',
  diary: 'pages/diary/diary-page.tsx',
  rearranging: 'features/rearranging/rearrange-page.tsx',
  instituteChats: 'pages/chat/chat-page.tsx',
  instituteChat: 'pages/chat/chat-page.tsx',
  till: 'features/till/till-page.tsx',
  sales: 'features/sales/sales-page.tsx',
  counter: 'features/till/counter-page.tsx',
  payouts: 'features/payouts/payouts-page.tsx',
  sale: 'features/sale/sale-page.tsx',
  customers: 'features/customers/customers-page.tsx',
  customer: 'features/customers/customer-page.tsx',
  services: 'features/services/services-page.tsx',
  service: 'features/services/service-page.tsx',
  team: 'pages/team/team-page.tsx',
  resources: 'features/team/resources-page.tsx',
  teamMember: 'pages/team/team-member-page.tsx',
  instituteSettings: 'features/institute-settings/institute-settings-page.tsx',
  instituteSettingsPart: 'features/institute-settings/institute-settings-page.tsx',
}

/** Everything below My Salon stands in the dashboard, beside its sidebar. */
const isOfDashboard = (id: SiteRouteName): boolean => siteRoutes[id].path.startsWith(siteRoutes.mySalon.path)

const pagesWhere = (isWanted: (id: SiteRouteName) => boolean) =>
  (Object.keys(modules) as SiteRouteName[]).filter(isWanted).map((id) => {
    const { path } = siteRoutes[id]
    return path === '/' ? index(modules[id], { id }) : route(path.slice(1), modules[id], { id })
  })

export default [
  layout(
    'site-layout.tsx',
    pagesWhere((id) => !isOfDashboard(id)),
  ),
  layout('dashboard-layout.tsx', pagesWhere(isOfDashboard)),
  route('art/:kind/*', 'theme/art/art-file.ts'),
  route('map/land/*', 'map/land-file.ts'),
  route('*', 'features/site/unknown-path.ts'),
] satisfies RouteConfig
