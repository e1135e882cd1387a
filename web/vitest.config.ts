// Component and theme tests: a small DOM, real CSS modules, and the package's own import names.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { limits } from '../vitest.limits.ts'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    ...limits,
    name: 'web',
    environment: 'happy-dom',
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx'],
    setupFiles: ['src/testing/patience.ts', 'src/testing/no-socket.ts'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    restoreMocks: true,
    // Each file has a realm of its own, as in a process of its own, and takes a third of the time.
    pool: 'vmThreads',
    maxWorkers: 2,
  },
})
