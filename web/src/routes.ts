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
  settings: 'features/settings/settings-page.tsx',
  chats: 'pages/chat/chat-page.tsx',
  chat: 'pages/chat/chat-page.tsx',
  login: 'features/session/login-page.tsx',
  register: 'features/session/register-page.tsx',
  resetPassword: 'features/password/reset-password-page.tsx',
  verification: 'features/verification/verification-page.tsx',
  giveAccess: 'features/calendars/give-access-page.tsx',
  terms: 'features/help/terms-page.tsx',
  reviewsPolicy: 'features/help/reviews-policy-page.tsx',
  help: 'features/help/help-page.tsx',
  icons: 'features/help/icons-page.tsx',
  setup: 'features/setup/setup-page.tsx',
  mySalon: 'features/dashboard/visits-page.tsx',
  instituteChats: 'pages/chat/chat-page.tsx',
  instituteChat: 'pages/chat/chat-page.tsx',
}

const pages = (Object.keys(modules) as SiteRouteName[]).map((id) => {
  const { path } = siteRoutes[id]
  return path === '/' ? index(modules[id], { id }) : route(path.slice(1), modules[id], { id })
})

export default [
  layout('site-layout.tsx', pages),
  route('art/:kind/*', 'theme/art/art-file.ts'),
  route('map/land/*', 'map/land-file.ts'),
  route('*', 'features/site/unknown-path.ts'),
] satisfies RouteConfig
