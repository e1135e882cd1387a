export default function RegisterPage() {
  return <h1 className="page section d2">RegisterPage</h1>;
}
