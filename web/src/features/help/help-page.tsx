export default function HelpPage() {
  return <h1 className="page section d2">HelpPage</h1>;
}
