import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AgentsApi;
import org.openapitools.client.api.KnowledgeApi;
import org.openapitools.client.api.WebhooksApi;
import org.openapitools.client.model.AgentInput;
import org.openapitools.client.model.RunInput;
import org.openapitools.client.model.WebhookInput;

/** Seven steps with the Java client that openapi-generator makes of openapi.json. */
public class Story {
  interface Step {
    void run() throws Exception;
  }

  static final String WORDS = "Once upon a time there was a goose.";
  static int passed;
  static int failed;
  static String agent;

  static void step(String title, Step work) {
    try {
      work.run();
      passed++;
      System.out.println("ok   " + title);
    } catch (Throwable error) {
      failed++;
      String body = error instanceof ApiException api ? " " + api.getResponseBody() : "";
      System.out.println("FAIL " + title + " | " + error + body);
    }
  }

  static void check(boolean isFine, Object found) {
    if (!isFine) throw new AssertionError(found);
  }

  static ApiClient connect(String key) {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("ATRIUM_ORIGIN") + "/api/v1");
    client.setBearerToken(key);
    client.setReadTimeout(60_000);
    return client;
  }

  interface Call {
    void run() throws ApiException;
  }

  static void refused(int status, String word, Call call) {
    try {
      call.run();
    } catch (ApiException error) {
      check(error.getCode() == status && error.getResponseBody().contains(word), error.getResponseBody());
      return;
    }
    throw new AssertionError("no " + status);
  }

  public static void main(String[] words) throws Exception {
    var door = JsonParser.parseString(System.getenv("ATRIUM_SANDBOX")).getAsJsonObject();
    ApiClient client = connect(door.get("key").getAsString());
    String collection = door.get("collectionId").getAsString();
    AgentsApi agents = new AgentsApi(client);
    KnowledgeApi knowledge = new KnowledgeApi(client);
    WebhooksApi webhooks = new WebhooksApi(client);

    step("1 an agent is created", () ->
        agent = agents.createAgent(new AgentInput().name("Generated"), null).getData().getId());
    step("2 the agent runs", () -> {
      String output = agents.runAgent(agent, new RunInput().prompt("sim:output=" + WORDS), null, null).getData().getOutput();
      check(WORDS.equals(output), output);
    });
    step("3 a file is uploaded", () -> {
      Path file = Files.createTempFile("otters", ".txt");
      try {
        Files.writeString(file, "Otters hold hands.");
        var document = knowledge.uploadDocument(file.toFile(), collection, null, "wait=30", null, null, null).getData();
        check(document.getStatus().toString().equals("ready"), document);
      } finally {
        Files.delete(file);
      }
    });
    step("4 a search finds it", () -> check(
        !knowledge.searchKnowledge("otters", null, null, null, null, null, null, null, null, null).getData().isEmpty(),
        "nothing was found"));
    step("5 a list has pages", () -> {
      String first = document(knowledge, 1);
      check(!first.equals(document(knowledge, 2)), "the same document twice");
    });
    step("6 errors have their status and code", () -> {
      refused(400, "\"field\":\"name\"", () -> agents.createAgent(new AgentInput().name(""), null));
      refused(404, "not_found", () -> agents.getAgent("agt_01m8h7fs88b10zxfysyhwme600", null));
      refused(401, "unauthenticated", () -> new AgentsApi(connect("sk_test_bad")).getAgent(agent, null));
    });
    step("7 a webhook is created, listed and deleted", () -> {
      var created = webhooks.createWebhook(new WebhookInput().url("https://example.com/hooks/generated"), null).getData();
      check(created.getSecret().startsWith("whsec_"), "no secret");
      var ids = webhooks.listWebhooks(null, null, null, null, null, null, null, null).getData().stream().map(one -> one.getId()).toList();
      check(ids.contains(created.getId()), ids);
      webhooks.deleteWebhook(created.getId(), null, null, null);
      agents.deleteAgent(agent, null, null, null);
    });
    System.out.println(passed + " passed, " + failed + " failed");
    System.exit(failed > 0 ? 1 : 0);
  }

  static String document(KnowledgeApi knowledge, int page) throws ApiException {
    var reply = knowledge.listDocuments(null, null, null, null, null, null, null, null, null, page, 1, null, null);
    check(reply.getMeta().getPage() == page, reply.getMeta());
    return reply.getData().get(0).getId();
  }
}
