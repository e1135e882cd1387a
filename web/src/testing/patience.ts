// Set-up of every test of this room. What is waited for comes at once on a quiet machine and late on a busy one, where one second,
// the library's own limit, fails good tests: a limit only ends what hangs.
import { configure } from '@testing-library/react'

configure({ asyncUtilTimeout: 60_000 })
