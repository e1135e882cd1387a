import { defineConfig } from 'vitest/config'
import { limits } from '../vitest.limits.ts'

export default defineConfig({ test: { ...limits, include: ['src/**/*.test.ts'], testTimeout: 6 * 3_600_000 } })
