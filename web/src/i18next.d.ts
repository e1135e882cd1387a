// Keys of the catalogues, so that a misspelt one does not compile. The English files are the source.
import 'i18next'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'site'
    resources: {
      appointments: typeof import('./locales/en/appointments.json')
      'at-home': typeof import('./locales/en/at-home.json')
      availability: typeof import('./locales/en/availability.json')
      booking: typeof import('./locales/en/booking.json')
      calendars: typeof import('./locales/en/calendars.json')
      cart: typeof import('./locales/en/cart.json')
      chat: typeof import('./locales/en/chat.json')
      classes: typeof import('./locales/en/classes.json')
      customers: typeof import('./locales/en/customers.json')
      dashboard: typeof import('./locales/en/dashboard.json')
      diary: typeof import('./locales/en/diary.json')
      'diary-sessions': typeof import('./locales/en/diary-sessions.json')
      favourites: typeof import('./locales/en/favourites.json')
      filters: typeof import('./locales/en/filters.json')
      forms: typeof import('./locales/en/forms.json')
      help: typeof import('./locales/en/help.json')
      home: typeof import('./locales/en/home.json')
      icons: typeof import('./locales/en/icons.json')
      institute: typeof import('./locales/en/institute.json')
      'institute-settings': typeof import('./locales/en/institute-settings.json')
      institutes: typeof import('./locales/en/institutes.json')
      labels: typeof import('./locales/en/labels.json')
      'leave-requests': typeof import('./locales/en/leave-requests.json')
      map: typeof import('./locales/en/map.json')
      notifications: typeof import('./locales/en/notifications.json')
      password: typeof import('./locales/en/password.json')
      prices: typeof import('./locales/en/prices.json')
      rearranging: typeof import('./locales/en/rearranging.json')
      'review-form': typeof import('./locales/en/review-form.json')
      reviews: typeof import('./locales/en/reviews.json')
      'reviews-policy': typeof import('./locales/en/reviews-policy.json')
      search: typeof import('./locales/en/search.json')
      series: typeof import('./locales/en/series.json')
      sales: typeof import('./locales/en/sales.json')
      services: typeof import('./locales/en/services.json')
      session: typeof import('./locales/en/session.json')
      settings: typeof import('./locales/en/settings.json')
      setup: typeof import('./locales/en/setup.json')
      site: typeof import('./locales/en/site.json')
      team: typeof import('./locales/en/team.json')
      terms: typeof import('./locales/en/terms.json')
      till: typeof import('./locales/en/till.json')
      verification: typeof import('./locales/en/verification.json')
      viewer: typeof import('./locales/en/viewer.json')
    }
  }
}
