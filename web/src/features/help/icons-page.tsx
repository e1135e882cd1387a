export default function IconsPage() {
  return <h1 className="page section d2">IconsPage</h1>;
}
