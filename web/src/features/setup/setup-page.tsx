export default function SetupPage() {
  return <h1 className="page section d2">SetupPage</h1>;
}
