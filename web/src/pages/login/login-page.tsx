// `/login`, with passkeys beside the password.
import { PasskeyLogin } from '#/features/passkeys/passkey-login.tsx'
import { LoginContent } from '#/features/session/login-content.tsx'

export { handle } from '#/features/session/login-content.tsx'

export default function LoginPage() {
  return <LoginContent otherWay={(onToken) => <PasskeyLogin onToken={onToken} />} />
}
