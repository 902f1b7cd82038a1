import { redirect } from "next/navigation";
import { connection } from "next/server";

export default async function StartPage() {
	await connection();
	redirect("/jobs");
}
