import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src',
  buildDirectory: 'build',
  ssr: true,
  // The table of routes is small: it comes with the page, so that links need no question to the server first.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
