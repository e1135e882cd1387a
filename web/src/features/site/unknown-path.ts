// Any path the product does not know leads home.
import { redirect } from 'react-router'
import { paths } from '#/paths.ts'

export function loader() {
  return redirect(paths.home)
}
