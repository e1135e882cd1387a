import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'
import { cataloguePlugin } from './catalogue-plugin.ts'
import { leanRouter } from './lean-router.ts'
import { dashboardSheet, layered, ownLanguages } from './dashboard-sheet.ts'

const uiLayer: Plugin = {
  name: 'ui-layer',
  enforce: 'pre',
  transform: (code, id) => (/\.css(?:$|\?)/.test(id) ? layered(code, id) : undefined),
}

export default defineConfig({
  plugins: [uiLayer, dashboardSheet(), ownLanguages, cataloguePlugin, leanRouter, reactRouter()],
  build: {
    target: 'es2022',
    // The policy of the pages names every inline script by its hash; fonts and pictures stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One small sheet for all public pages: the first paint waits for one request, the next pages for none.
    cssCodeSplit: false,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // What many pages share comes in one file: dozens of tiny ones compress badly and each is a request.
            codeSplitting: {
              groups: [
                // What every page starts with, in one request: dozens of tiny files compress badly and each is a request.
                {
                  name: 'start',
                  test: /node_modules\/(?:react|react-dom|scheduler|react-router|react-i18next|@tanstack\/[\w-]+)\/(?!.*(?:nfinite|[qQ]ueries|utationObserver|useMutation))|preload-helper|web\/src\/(?:root|site-layout|overlays|guards|paths|query-keys|use-decision)\.tsx?|web\/src\/platform\/(?!google|phone|patient-web|li(?:ve|ght)|account|kept-since|dashboard|signed-in-catalogues)|web\/src\/contract\/(?!dashboard)|web\/src\/features\/site\/(?!site-menu|account-menu|use-logout)|web\/src\/(?:ui\/(?!combobox|month-grid|confetti|text-area|countdown|full-screen-menu|toast-stack|pagination|form-page|typed-fields|status-chip|option-card|picture-viewer|quick-menu|alert-dialog|code-input|confirm-dialog|download-picture|step-form|tabs-nav|use-kept-focus|use-drag-or-tap|rating|cover-image|password-field|slot-grid|modal|scroll-lock)|theme\/(?!icons\/(?:service|category)|art\/cover-variant)|prices|map\/directions)|contract\/src\/(?:site-routes|files)/,
                  priority: 3,
                },
                // The texts of a language in one file: named one by one in every page they cost it two kilobytes. Those of pages that
                // only some of the signed-in open are in another, and My Salon's in a third.
                ...['en', 'fr', 'ar'].flatMap((language) => [
                  {
                    name: `salon-texts-${language}`,
                    test: new RegExp(
                      `web/src/locales/${language}/(?:customers|dashboard|day-sheet|diary|institute-settings|rearranging|diary-sessions|leave-requests|payouts|sales|services|setup|team|till)\\.json`,
                    ),
                    priority: 6,
                  },
                  {
                    name: `own-texts-${language}`,
                    test: new RegExp(`web/src/locales/${language}/(?:chat|settings|calendars|series|fees)`),
                    priority: 5,
                  },
                  { name: `texts-${language}`, test: new RegExp(`web/src/locales/${language}[/.]`), priority: 4 },
                ]),
                // A card with its times and its heart stands on home, list, map and Favoris. Where there are cards, the choice of a map is near.
                {
                  name: 'cards',
                  test: /web\/src\/(?:platform\/google|theme\/icons\/(?:service|category)|theme\/art\/cover-variant|ui\/(?:rating|cover-image)|features\/(?:favourites\/heart|institutes\/(?:institute-card|next-times|card-)))/,
                  priority: 1,
                },
                // Asked for by screens of the dashboard and by those of paying: named one by one in every page they cost what they weigh.
                {
                  name: 'dashboard-api',
                  priority: 1,
                  test: /web\/src\/(?:dashboard-keys|platform\/dashboard-api|contract\/dashboard-call)/,
                },
                // What few of those who book are told.
                { name: 'booking-notices', priority: 1, test: /web\/src\/features\/(?:booking\/(?:overlap|refused)|cart\/gone)-notice/ },
                { name: 'amounts', priority: 1, test: /web\/src\/(?:amount|deposit)/, minShareCount: 2 },
                // What steps and forms are made of, which lists and menus do without.
                {
                  name: 'steps',
                  priority: 1,
                  test: /web\/src\/ui\/(?:form-page|typed-fields|password-field)/,
                  minShareCount: 2,
                },
                // The drawn map, of institutes and of one pin.
                {
                  name: 'drawn-map',
                  priority: 1,
                  test: /web\/src\/map\/(?:institute-map|paper-|mercator|crowded-|gathered-|map-|place-names|use-|street-style|clip-)/,
                },
                // What is chosen of an institute, on its page, while it is booked and in a conversation.
                {
                  name: 'cart',
                  priority: 1,
                  test: /web\/src\/(?:features\/(?:cart\/|at-home\/home-address)|.*\/booking-times\.|ui\/(?:status-chip|option-card))/,
                  minShareCount: 2,
                },
                // Where a place is and what people say of it, without what others share: on the page of an institute and of a visit.
                {
                  name: 'place',
                  test: /web\/src\/(?:map\/place-map|features\/chat\/message-institute|features\/institute\/(?:team|grades|service-menu|hours-and-place|gallery|institute-heading)|features\/reviews\/(?:grades|review-card|review-actions|reviews-list)|shown-pictures)/,
                },
              ],
            },
          },
        },
      },
    },
  },
  // Found before the first page is asked for: a package met later would make the browser load everything anew.
  optimizeDeps: {
    include: [
      'react',
      'react/jsx-dev-runtime',
      'react-dom/client',
      'react-router',
      'react-router/dom',
      'i18next',
      'react-i18next',
      '@tanstack/react-query',
      'downshift',
      'canvas-confetti',
    ],
  },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
})
