import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src',
  // The build script makes the new pages beside the old ones and then lets them change places.
  buildDirectory: process.env['BUILD_DIRECTORY'] ?? 'build',
  ssr: true,
  // The table of routes is small: it comes with the page, so that links need no question to the server first.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
