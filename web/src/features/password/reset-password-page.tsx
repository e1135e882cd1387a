export default function ResetPasswordPage() {
  return <h1 className="page section d2">ResetPasswordPage</h1>;
}
