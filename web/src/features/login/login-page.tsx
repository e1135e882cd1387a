export default function LoginPage() {
  return <h1 className="page section d2">LoginPage</h1>;
}
