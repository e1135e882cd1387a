// Keys of the catalogues, so that a misspelt one does not compile. The English files are the source.
import 'i18next'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'site'
    resources: {
      appointments: typeof import('./locales/en/appointments.json')
      salon: typeof import('./locales/en/salon.json')
      booking: typeof import('./locales/en/booking.json')
      times: typeof import('./locales/en/times.json')
      home: typeof import('./locales/en/home.json')
      institutes: typeof import('./locales/en/institutes.json')
      map: typeof import('./locales/en/map.json')
      site: typeof import('./locales/en/site.json')
      setup: typeof import('./locales/en/setup.json')
      mysalon: typeof import('./locales/en/mysalon.json')
      account: typeof import('./locales/en/account.json')
      words: typeof import('./locales/en/words.json')
      terms: typeof import('./locales/en/terms.json')
      help: typeof import('./locales/en/help.json')
      icons: typeof import('./locales/en/icons.json')
    }
  }
}
