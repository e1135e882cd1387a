/**
 * The limits of every test, of every room. They only end what hangs: on a busy machine a good test may take long, and a limit that ends it
 * then says nothing about the product. No test has a shorter one of its own (`scripts/check-house.ts`).
 */
export const limits = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
}
