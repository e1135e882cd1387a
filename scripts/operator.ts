/** npm run operator -- add EMAIL | remove EMAIL | list: who may decide about institutes and reviews of the whole site. */
import { addOperator, endOperator, operatorsOf } from '../server/src/features/people/service.ts'
import { readSettings } from '../server/src/platform/settings.ts'
import { withDatabase } from './with-database.ts'

const usage = `npm run operator -- add EMAIL | remove EMAIL | list

  add      makes an account an operator of the site; its email must be confirmed
  remove   takes that back, with the next request
  list     prints the addresses of all operators`

const [what = '', email = ''] = process.argv.slice(2)
if (!(what === 'list' || (['add', 'remove'].includes(what) && email !== ''))) {
  console.error(usage)
  process.exit(2)
}
await withDatabase(readSettings(process.env), async ({ db }, { now }) => {
  if (what === 'list') return console.log((await operatorsOf(db)).join('\n'))
  const isDone = await (what === 'add' ? addOperator : endOperator)(db, email, now)
  if (isDone) return console.log(what === 'add' ? `${email} is an operator now` : `${email} is no operator any more`)
  process.exitCode = 1
  const others = await operatorsOf(db)
  const isOne = others.some((one) => one.toLowerCase() === email.toLowerCase())
  console.error(
    what === 'remove'
      ? `${email} is no operator`
      : isOne
        ? `${email} is an operator already`
        : `no confirmed account has the address ${email}`,
  )
})
