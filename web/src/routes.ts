// Every path of the product. A path that is not here leads home.
import { layout, route, index, type RouteConfig } from '@react-router/dev/routes'

export default [
  layout('site-layout.tsx', [
    index('features/home/home-page.tsx'),
    route('institutes', 'features/institutes/institutes-page.tsx'),
    route('salon/:slug', 'features/salon/salon-page.tsx'),
    route('salon/:slug/book', 'features/booking/booking-page.tsx'),
    route('appointment/list', 'features/appointments/appointment-list-page.tsx'),
    route('appointment/:id', 'features/appointments/appointment-page.tsx'),
    route('login', 'features/account/login-page.tsx'),
    route('register', 'features/account/register-page.tsx'),
    route('reset-password', 'features/account/reset-password-page.tsx'),
    route('terms', 'features/help/terms-page.tsx'),
    route('contact', 'features/help/help-page.tsx'),
    route('icons', 'features/help/icons-page.tsx'),
    route('institute-register', 'features/setup/setup-page.tsx'),
    route('mysalon', 'features/mysalon/visits-page.tsx'),
  ]),
  route('art/:kind/*', 'features/art/art-file.ts'),
  route('map/land/*', 'features/map/land-file.ts'),
  route('*', 'features/site/unknown-path.ts'),
] satisfies RouteConfig
