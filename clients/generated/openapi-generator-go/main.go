// Seven steps with the Go client that openapi-generator makes of openapi.json.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"generated/atrium"
)

var passed, failed int

// step counts whether the work fails.
func step(title string, work func() error) {
	if err := work(); err != nil {
		failed++
		fmt.Println("FAIL", title, "|", said(err))
		return
	}
	passed++
	fmt.Println("ok  ", title)
}

// said adds what the server answered, which the error's own text leaves out.
func said(err error) string {
	var refused *atrium.GenericOpenAPIError
	if errors.As(err, &refused) {
		return err.Error() + " " + string(refused.Body())
	}
	return err.Error()
}

func check(isFine bool, format string, values ...any) error {
	if isFine {
		return nil
	}
	return fmt.Errorf(format, values...)
}

func connect(key string) *atrium.APIClient {
	configuration := atrium.NewConfiguration()
	configuration.Servers = atrium.ServerConfigurations{{URL: os.Getenv("ATRIUM_ORIGIN") + "/api/v1"}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+key)
	return atrium.NewAPIClient(configuration)
}

// refused answers the typed error of a call that must fail with the status.
func refused(status int, reply *http.Response, err error) (*atrium.Error, error) {
	var generic *atrium.GenericOpenAPIError
	if !errors.As(err, &generic) || reply.StatusCode != status {
		return nil, fmt.Errorf("no %d: %v", status, err)
	}
	typed, isTyped := generic.Model().(atrium.Error)
	return &typed, check(isTyped, "%s has no type", generic.Body())
}

func main() {
	const words = "Once upon a time there was a goose."
	ctx := context.Background()
	var door struct{ Key, CollectionId string }
	if err := json.Unmarshal([]byte(os.Getenv("ATRIUM_SANDBOX")), &door); err != nil {
		panic(err)
	}
	client := connect(door.Key)
	agents, knowledge, webhooks := client.AgentsAPI, client.KnowledgeAPI, client.WebhooksAPI
	agent := ""

	step("1 an agent is created", func() error {
		reply, _, err := agents.CreateAgent(ctx).AgentInput(*atrium.NewAgentInput("Generated")).Execute()
		if err != nil {
			return err
		}
		agent = reply.Data.Id
		return nil
	})
	step("2 the agent runs", func() error {
		input := atrium.NewRunInput()
		input.SetPrompt("sim:output=" + words)
		reply, _, err := agents.RunAgent(ctx, agent).RunInput(*input).Execute()
		if err != nil {
			return err
		}
		return check(reply.Data.GetOutput() == words, "%v", reply.Data)
	})
	step("3 files are uploaded, one and two in a batch", func() error {
		one, err := fileOf("otters.txt", "Otters hold hands.")
		if err != nil {
			return err
		}
		upload := knowledge.UploadDocument(ctx).File(one).CollectionId(door.CollectionId).Prefer("wait=30")
		reply, _, err := upload.Execute()
		if err != nil {
			return err
		}
		if reply.Data.Status != "ready" {
			return fmt.Errorf("%v", reply.Data)
		}
		two, err := fileOf("geese.txt", "Geese fly in a wedge.")
		if err != nil {
			return err
		}
		three, err := fileOf("moles.txt", "Moles dig.")
		if err != nil {
			return err
		}
		files := []*os.File{two, three}
		batch, _, err := knowledge.UploadDocuments(ctx).File(files).CollectionId(door.CollectionId).Execute()
		if err != nil {
			return err
		}
		return check(len(batch.Data.Files) == 2, "%v", batch.Data)
	})
	step("4 a search finds it", func() error {
		reply, _, err := knowledge.SearchKnowledge(ctx).Query("otters").Execute()
		if err != nil {
			return err
		}
		return check(len(reply.Data) > 0, "nothing was found")
	})
	step("5 a list has pages", func() error {
		ids := map[string]bool{}
		for page := int32(1); page <= 2; page++ {
			reply, _, err := knowledge.ListDocuments(ctx).Page(page).PageSize(1).Execute()
			if err != nil {
				return err
			}
			if reply.Meta.Page != page {
				return fmt.Errorf("%v", reply.Meta)
			}
			ids[reply.Data[0].Id] = true
		}
		return check(len(ids) == 2, "the same document twice")
	})
	step("6 errors are typed", func() error {
		_, reply, err := agents.CreateAgent(ctx).AgentInput(*atrium.NewAgentInput("")).Execute()
		invalid, err := refused(400, reply, err)
		if err != nil {
			return err
		}
		if invalid.Code != "validation_failed" || invalid.Errors[0].Field != "name" {
			return fmt.Errorf("%v", invalid)
		}
		_, reply, err = agents.GetAgent(ctx, "agt_01m8h7fs88b10zxfysyhwme600").Execute()
		absent, err := refused(404, reply, err)
		if err != nil {
			return err
		}
		if absent.Code != "not_found" {
			return fmt.Errorf("%v", absent)
		}
		_, reply, err = connect("sk_test_bad").AgentsAPI.ListAgents(ctx).Execute()
		stranger, err := refused(401, reply, err)
		if err != nil {
			return err
		}
		return check(stranger.Code == "unauthenticated", "%v", stranger)
	})
	step("7 a webhook is created, listed and deleted", func() error {
		input := atrium.NewWebhookInput("https://example.com/hooks/generated")
		created, _, err := webhooks.CreateWebhook(ctx).WebhookInput(*input).Execute()
		if err != nil {
			return err
		}
		if !strings.HasPrefix(created.Data.GetSecret(), "whsec_") {
			return fmt.Errorf("no secret")
		}
		listed, _, err := webhooks.ListWebhooks(ctx).Execute()
		if err != nil {
			return err
		}
		isCreated := func(one atrium.Webhook) bool { return one.Id == created.Data.Id }
		if !slices.ContainsFunc(listed.Data, isCreated) {
			return fmt.Errorf("not listed")
		}
		if _, _, err := agents.DeleteAgent(ctx, agent).Execute(); err != nil {
			return err
		}
		_, reply, err := webhooks.DeleteWebhook(ctx, created.Data.Id).Execute()
		if err != nil {
			return err
		}
		return check(reply.StatusCode == 204, "status %d", reply.StatusCode)
	})

	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}

// fileOf is open, and is read from its start.
func fileOf(name, text string) (*os.File, error) {
	folder, err := os.MkdirTemp("", "story")
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return nil, err
	}
	return os.Open(path)
}
